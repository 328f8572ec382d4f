-- Drives the client of Neovim against the language server, and writes a line per feature that works.
--
-- `HERBRAND` is the program, `FOLDER` a folder with `domain.pddl` and `p01.pddl`, and `OUT` the file of results.
local out = assert(io.open(vim.env.OUT, "w"))
local function told(name)
  out:write(name, "\n")
  out:flush()
end

local folder = vim.env.FOLDER
local function client()
  return vim.lsp.start_client({ name = "herbrand", cmd = { vim.env.HERBRAND, "lsp" }, root_dir = folder })
end
local id = client()

local function open(name)
  vim.cmd("edit " .. folder .. "/" .. name)
  local buffer = vim.api.nvim_get_current_buf()
  vim.lsp.buf_attach_client(buffer, id)
  return buffer
end

local function wait(what, check)
  assert(vim.wait(30000, check, 20), "no " .. what)
end

local function text(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), "\n")
end

-- Returns the line and column of the `nth` place of a word, counted from 0.
local function find(buffer, word, nth)
  for row, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, true)) do
    local from = 1
    while true do
      local at = line:find(word, from, true)
      if not at then break end
      nth = (nth or 1) - 1
      if nth == 0 then return { line = row - 1, character = at - 1 } end
      from = at + 1
    end
  end
  error(word .. " is not in the text")
end

local function document(buffer)
  return { uri = vim.uri_from_bufnr(buffer) }
end

local function ask(buffer, method, params)
  local replies, reason = vim.lsp.buf_request_sync(buffer, method, params, 30000)
  assert(replies, method .. ": " .. tostring(reason))
  local reply = assert(replies[id], method .. ": no answer")
  assert(not reply.error, method .. ": " .. vim.inspect(reply.error))
  return reply.result
end

local function at(buffer, word, nth, more)
  local position = find(buffer, word, nth)
  position.character = position.character + 1
  return vim.tbl_extend("force", { textDocument = document(buffer), position = position }, more or {})
end

local function diagnostics(buffer, code)
  return vim.tbl_filter(function(one) return not code or one.code == code end, vim.diagnostic.get(buffer))
end

local domain = open("domain.pddl")
local problem = open("p01.pddl")

-- Faults as the text changes, in the way of the client's own incremental messages.
wait("client", function() return vim.lsp.buf_is_attached(problem, id) end)
local place = find(domain, "(road ?from ?to))", 1)
vim.api.nvim_buf_set_text(domain, place.line, place.character + 1, place.line, place.character + 5, { "raod" })
wait("fault", function() return #diagnostics(domain, "E0101") == 1 end)
told("diagnostics")

local fault = diagnostics(domain, "E0101")[1]
local range = { start = { line = fault.lnum, character = fault.col }, ["end"] = { line = fault.end_lnum, character = fault.end_col } }
local actions = ask(domain, "textDocument/codeAction", {
  textDocument = document(domain), range = range, context = { diagnostics = {} },
})
local meant = vim.tbl_filter(function(one) return one.title:find("road", 1, true) ~= nil end, actions)[1]
vim.lsp.util.apply_workspace_edit(assert(meant, vim.inspect(actions)).edit, "utf-16")
wait("mended text", function() return #diagnostics(domain, "E0101") == 0 end)
told("quick fix")

local hover = ask(domain, "textDocument/hover", at(domain, "(road ?from ?to))"))
assert(vim.inspect(hover):find("static"), vim.inspect(hover))
told("hover")

local definition = ask(problem, "textDocument/definition", at(problem, "road depot"))
definition = definition[1] or definition
assert((definition.uri or definition.targetUri):find("domain.pddl", 1, true), vim.inspect(definition))
told("definition")

local references = ask(domain, "textDocument/references", at(domain, "at ?x", 1, { context = { includeDeclaration = true } }))
assert(#references > 5, vim.inspect(references))
told("references")

local items = ask(problem, "textDocument/completion", at(problem, "letter depot"))
items = items.items or items
local labels = vim.tbl_map(function(one) return one.label end, items)
assert(vim.tbl_contains(labels, "letter"), vim.inspect(labels))
told("completion")

local signature = ask(problem, "textDocument/signatureHelp", at(problem, " letter town"))
assert(vim.inspect(signature):find("?x", 1, true), vim.inspect(signature))
told("signature help")

assert(#ask(domain, "textDocument/documentSymbol", { textDocument = document(domain) }) > 0)
told("symbols")
assert(#ask(domain, "textDocument/foldingRange", { textDocument = document(domain) }) > 0)
told("folding")
assert(#ask(domain, "textDocument/semanticTokens/full", { textDocument = document(domain) }).data > 0)
told("colours")

local lines = vim.api.nvim_buf_line_count(problem)
local whole = { start = { line = 0, character = 0 }, ["end"] = { line = lines, character = 0 } }
assert(#ask(problem, "textDocument/inlayHint", { textDocument = document(problem), range = whole }) > 0)
told("hints")

local renamed = ask(domain, "textDocument/rename", at(domain, "road ?from ?to - place", 1, { newName = "street" }))
vim.lsp.util.apply_workspace_edit(renamed, "utf-16")
assert(text(domain):find("(street ?from ?to)", 1, true) and not text(domain):find("(road", 1, true), text(domain))
assert(text(problem):find("(street depot town)", 1, true), text(problem))
told("rename")

vim.api.nvim_buf_set_text(problem, 1, 0, 1, 0, { "        " })
local edits = ask(problem, "textDocument/formatting", {
  textDocument = document(problem), options = { tabSize = 2, insertSpaces = true },
})
vim.lsp.util.apply_text_edits(edits, problem, "utf-16")
assert(text(problem):find("\n  (:domain delivery)", 1, true), text(problem))
told("formatting")

local lenses = ask(problem, "textDocument/codeLens", { textDocument = document(problem) })
local titles = vim.tbl_map(function(one) return one.command.title end, lenses)
assert(vim.tbl_contains(titles, "Run a plan"), vim.inspect(titles))
assert(#ask(domain, "textDocument/codeLens", { textDocument = document(domain) }) == 3)
told("lenses")

local plan = ask(problem, "workspace/executeCommand", { command = "herbrand.plan", arguments = { document(problem).uri } })
assert(#plan.steps == 4, vim.inspect(plan))
told("plan")
local view = ask(problem, "herbrand/ask", { uri = document(problem).uri, ask = "look", walk = {} })
assert(view.picture.svg:find("<svg", 1, true))
told("picture")

-- Without the road to the town, nothing drives to the letter.
place = find(problem, "(street depot town)")
vim.api.nvim_buf_set_text(problem, place.line, place.character, place.line, place.character + 19, { "" })
wait("goal that cannot hold", function() return #diagnostics(problem, "W0304") == 1 end)
told("goals that cannot hold")

vim.lsp.stop_client(id)
told("end")
out:close()
vim.cmd("qall!")
