import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { LaunchError, StoppedBySignal } from './launch-error.mjs'
import { watchParent } from './parent.mjs'

export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** If npm or its children still run this long after they were asked to stop, they are killed. */
const STOP_MS = 5_000

/** npm creates missing folders. If npm was run with sudo, the cache's folders belong to root. */
function isCacheWritable(cache) {
  return ['.', '_cacache', '_cacache/tmp', '_cacache/content-v2', '_cacache/index-v5'].every(
    (name) => isFolderWritable(join(cache, name)),
  )
}

function isFolderWritable(path) {
  let folder = path
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder)
  if (!statSync(folder).isDirectory()) return false
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error
    return false
  }
}

/**
 * Runs `npm ci` in the folder without install scripts, so that it only downloads the packages of the lockfile and runs
 * none of their code. A signal to the launcher, or the end of the launcher's parent, stops npm and its children.
 */
export async function runNpmCi(folder) {
  const args = [
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const npm = process.env.npm_execpath
  const [command, prefix] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  const code = await runInOwnGroup(command, [...prefix, ...args], folder)
  if (code === 0) return
  // An account without a name may have no home folder, but npm needs one too.
  const cache = process.env.npm_config_cache ?? join(homedir(), '.npm')
  throw new LaunchError(
    'npm ci failed (see above). The installed packages were not changed',
    isCacheWritable(cache)
      ? 'Check that the package registry is reachable, then try again'
      : `This account cannot write to the cache of npm, ${cache}. Set npm_config_cache to another folder`,
  )
}

/** Runs a program as the leader of a process group, so that a signal can stop it together with its children. */
async function runInOwnGroup(command, args, cwd) {
  let received = null
  let killTimer
  const stop = (signal) => {
    received ??= signal
    signalGroup(child, 'SIGTERM')
    killTimer ??= setTimeout(() => signalGroup(child, 'SIGKILL'), STOP_MS)
  }
  // Set before the program starts, because a signal right after the start would end only the launcher. The signal is
  // handled after this turn of the event loop, when the child exists.
  for (const signal of SIGNALS) process.on(signal, stop)
  const child = spawn(command, args, {
    cwd,
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const unwatchParent = watchParent(() => stop('SIGTERM'))
  try {
    const code = await new Promise((resolve, reject) => {
      child.on('error', (error) =>
        reject(new LaunchError(`npm could not be started: ${error.message}`, 'Install npm')),
      )
      child.on('exit', resolve)
    })
    if (received !== null) {
      // npm has ended, but its children may not have.
      signalGroup(child, 'SIGKILL')
      throw new StoppedBySignal(received)
    }
    return code
  } finally {
    clearTimeout(killTimer)
    unwatchParent()
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}

function signalGroup(child, signal) {
  if (child.pid === undefined) return
  try {
    // Windows has no process groups.
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, signal)
  } catch (error) {
    // The group has already ended. macOS reports EPERM for a group of ended processes.
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error
  }
}
