// The files in this folder must run on Node 20 and newer without any package, so they are plain JavaScript.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { requirePackages } from './install.mjs'
import { printLaunchError, StoppedBySignal } from './launch-error.mjs'
import { isRecentEnough, packagedNode } from './node.mjs'
import { watchParent } from './parent.mjs'
import { SIGNALS } from './run-npm.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')

/** Loading the program fills the heap's young generation many times. With this size, a start takes 10 % less time. */
const YOUNG_GENERATION = '--min-semi-space-size=16'

const COMPILED_ENTRY = 'dist/js/src/main.js'

/** A clone contains the sources and runs them. The npm package contains only compiled code. */
export const isPackage =
  !existsSync(join(root, 'src/main.ts')) && existsSync(join(root, COMPILED_ENTRY))

/** Runs the npm package. npm has installed its packages together with it, and nothing is written into its folder. */
export async function launchPackage(args) {
  await reportErrors(args, () => run(COMPILED_ENTRY, args))
}

/**
 * Runs `script` on a recent enough Node. With `mayInstall`, missing packages are installed first. With `needsDev`, the
 * packages for development are needed too.
 */
export async function launch(script, args, { needsDev, mayInstall }) {
  await reportErrors(args, async () => {
    await requirePackages(root, { needsDev, mayInstall })
    await run(script, args)
  })
}

async function reportErrors(args, work) {
  try {
    await work()
  } catch (error) {
    if (error instanceof StoppedBySignal) return endWith(error.signal)
    printLaunchError(error, args.includes('--json'))
    process.exitCode = 1
  }
}

async function run(script, args) {
  const path = join(root, script)
  if (isRecentEnough(process.versions.node)) await runHere(path, args)
  else runOn(packagedNode(root), path, args)
}

async function runHere(path, args) {
  process.argv = [process.execPath, path, ...args]
  watchParent(() => process.kill(process.pid, 'SIGTERM'))
  await import('./lifeline.mjs')
  await import(pathToFileURL(path).href)
}

// Descriptor 3 is a pipe without data. It closes when this process ends, even after kill -9, and the child then stops.
function runOn(node, path, args) {
  const lifeline = pathToFileURL(join(root, 'bin/launch/lifeline.mjs')).href
  const child = spawn(node, [YOUNG_GENERATION, '--import', lifeline, path, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    // DNS lookups run in the thread pool. With its default of 4 threads, they could use only 2.
    env: { UV_THREADPOOL_SIZE: '16', ...process.env, LIFELINE_FD: '3' },
  })
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal))
  watchParent(() => child.kill('SIGTERM'))
  child.on('error', (error) => {
    process.stderr.write(`hansard: ${node} could not be started: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    endWith(signal)
  })
}

/** Ends this process with the signal, so that its parent sees the same end as the program's. */
function endWith(signal) {
  for (const name of SIGNALS) process.removeAllListeners(name)
  process.kill(process.pid, signal)
}
