library(testthat)
library(treewright)

test_check("treewright")
