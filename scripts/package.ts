// Run by `npm pack`. Compiles the code that the npm package runs, because Node refuses TypeScript below node_modules,
// builds the console, and lists what both contain.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMIT_FILE, readCommit } from '../src/config/load-config.ts'
import { buildConsoleIfStale } from '../src/console/build-console.ts'
import { compileForPackage } from './compile-for-package.ts'
import { writeSbom } from './sbom.ts'

const root = join(import.meta.dirname, '..')
await compileForPackage(root, join(root, 'dist/js'))
await buildConsoleIfStale(root)
await writeSbom(root)
// An image is built without the Git folder.
const commit = process.env['COMMIT'] || readCommit(root)
if (commit !== null) writeFileSync(join(root, COMMIT_FILE), commit)
