// Runs a script of this repository with the service's packages and Node: `node bin/with-node.mjs test/run.ts`.
import { launch } from './launch/launch.mjs'

const [script, ...args] = process.argv.slice(2)
await launch(script, args, { needsDev: true, mayInstall: true })
