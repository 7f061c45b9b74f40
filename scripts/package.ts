// Run by `npm pack`: compiles the code that the npm package runs, because Node refuses TypeScript below node_modules, and
// builds the console.
import { join } from 'node:path'
import { compileForPackage } from './compile-for-package.ts'
import { buildConsoleIfStale } from '../src/console/build-console.ts'

const root = join(import.meta.dirname, '..')
await compileForPackage(root, join(root, 'dist/js'))
await buildConsoleIfStale(root)
