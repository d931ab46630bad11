"""SCIP as an external solver: solve_with_scip.py MODEL.lp SOLUTION SECONDS START

treewright fit data.csv --method oct --solver mip --mip-solver "python /path/to/solve_with_scip.py {lp} {solution} {time} {start}"
"""

import sys

from pyscipopt import Model

model_file, solution_file, seconds, start_file = sys.argv[1:]
model = Model()
model.hideOutput()
model.readProblem(model_file)
model.setParam("limits/time", float(seconds))
# Ipopt, which SCIP asks about quadratic models, crashes in some builds (github.com/scipopt/scip/issues/211), so it is switched off.
model.setParam("nlp/disable", True)
variables = {v.name: v for v in model.getVars()}
# SCIP replaces a quadratic objective by a variable of its own, which must not be set from the start.
own = {"quadobjvar"} & variables.keys()
start = model.createPartialSol() if own else model.createSol()
with open(start_file) as lines:
    pairs = [line.split() for line in lines if not line.startswith("#")]
for name, value in pairs:
    model.setSolVal(start, variables[name], float(value))
if pairs:
    if "constant" in variables:
        model.setSolVal(start, variables["constant"], 1)
    model.addSol(start)
model.optimize()
with open(solution_file, "w") as out:
    status = {"optimal": "optimal", "infeasible": "infeasible", "timelimit": "time_limit"}.get(model.getStatus(), "unknown")
    print(f"# status {status}\n# bound {model.getDualbound()!r}\n# nodes {model.getNNodes()}", file=out)
    if model.getNSols() > 0:
        best = model.getBestSol()
        for name, variable in variables.items():
            if name not in own:
                print(name, repr(model.getSolVal(best, variable)), file=out)
