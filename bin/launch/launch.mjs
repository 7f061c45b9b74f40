// The files in this folder run on whatever Node started them, from version 20 on: plain JavaScript, no package.
import { spawn } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { install, isInstalled } from './install.mjs'
import { isRecentEnough, packagedNode } from './node.mjs'
import { watchParent } from './parent.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Installs what the lockfile names, then runs `script` on a Node that can. */
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

// Descriptor 3 is a pipe nobody writes to: its end tells the child that this process is gone, even by kill -9.
function runOn(node, path, args) {
  const lifeline = pathToFileURL(join(root, 'bin/launch/lifeline.mjs')).href
  const child = spawn(node, ['--import', lifeline, path, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    // Names are looked up in threads, of which the usual four leave two for that.
    env: { UV_THREADPOOL_SIZE: '16', ...process.env, LIFELINE_FD: '3' },
  })
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal))
  watchParent(() => child.kill('SIGTERM'))
  child.on('error', (error) => {
    process.stderr.write(`hansard: ${node} did not start: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    for (const name of SIGNALS) process.removeAllListeners(name)
    process.kill(process.pid, signal)
  })
}
