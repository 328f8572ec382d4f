begin_version
3
end_version
begin_metric
1
end_metric
1
begin_variable
floor
-1
3
Atom at(0)
Atom at(1)
Atom at(2)
end_variable
0
begin_state
0
end_state
begin_goal
1
0 2
end_goal
3
begin_operator
Up! 0 1
0
1
0 0 0 1
2
end_operator
begin_operator
Up! 1 2
0
1
0 0 1 2
3
end_operator
begin_operator
Leap! 0 2
0
1
0 0 0 2
9
end_operator
0
