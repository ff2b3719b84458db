"""Finds claims that a clause of the evidence states word by word, and plain conflicts of one quantity.

`layout` tells what each line of the evidence is, `context` whether what is around it can change what it says, `records`
cuts it into clauses, `statement` reads a clause or a claim into comparable tokens, `align` finds plain conflicts, and
`engine` makes the label of it.
"""
