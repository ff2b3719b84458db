"""Types the word lists of the catalog: negators, conditions, comparators, units and the like."""
