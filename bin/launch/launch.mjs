// The files in this folder must run on Node 20 and newer without any package, so they are plain JavaScript.
import { spawn } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { install, isInstalled } from './install.mjs'
import { isRecentEnough, packagedNode } from './node.mjs'
import { watchParent } from './parent.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Installs the packages if needed, then runs `script` on a Node that is recent enough. */
export async function launch(script, args) {
  try {
    if (!isInstalled(root)) await install(root)
    const path = join(root, script)
    if (isRecentEnough(process.versions.node)) await runHere(path, args)
    else runOn(packagedNode(root), path, args)
  } catch (error) {
    process.stderr.write(`hansard: ${error.message}\n`)
    process.exitCode = 1
  }
}

async function runHere(path, args) {
  process.argv = [process.execPath, path, ...args]
  watchParent(() => process.kill(process.pid, 'SIGTERM'))
  await import('./lifeline.mjs')
  await import(pathToFileURL(path).href)
}

// Descriptor 3 is a pipe without any data. It closes when this process ends, even by kill -9, and the child then stops.
function runOn(node, path, args) {
  const lifeline = pathToFileURL(join(root, 'bin/launch/lifeline.mjs')).href
  const child = spawn(node, ['--import', lifeline, path, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    // DNS lookups run in the thread pool; with the default of 4 threads only 2 would be available for them.
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
    for (const name of SIGNALS) process.removeAllListeners(name)
    process.kill(process.pid, signal)
  })
}
