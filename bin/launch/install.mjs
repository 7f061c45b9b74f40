import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { LaunchError } from './launch-error.mjs'
import { isInstalled, readInstalledPackages } from './packages.mjs'
import { runNpmCi } from './run-npm.mjs'

/** npm installs into this folder next to node_modules, so it is on the same disk. The number is the process id. */
const STAGING_NAME = /^node_modules\.new\.(\d+)$/
/** The staging folder keeps the previous node_modules here until the new one is in place. */
const PREVIOUS = 'previous'
const PROGRESS_MS = 15_000
const NOT_WRITABLE_CODES = new Set(['EACCES', 'EPERM', 'EROFS'])

/** Makes sure that the packages are installed. Without `mayInstall`, it only reports what to run. */
export async function requirePackages(root, { needsDev, mayInstall }) {
  if (mayInstall) await finishInterruptedInstalls(root)
  if (isInstalled(root, { needsDev })) return
  if (mayInstall) return install(root)
  throw new LaunchError(
    readInstalledPackages(root) === null
      ? 'The packages are not installed'
      : 'The installed packages are not those of package-lock.json',
    `Run: ${prepareCommand(root)}`,
  )
}

/**
 * Installs into a staging folder and puts the result in place only when it is complete, so that a failure, a signal or
 * a crash never damages the existing packages.
 */
async function install(root) {
  const staging = join(root, `node_modules.new.${process.pid}`)
  createStagingFolder(root, staging)
  try {
    process.stderr.write('hansard: installing the packages of package-lock.json\n')
    await reportProgress(() => runNpmCi(staging))
    if (!isInstalled(staging, { needsDev: true }))
      throw new LaunchError('npm ci ended without installing all packages')
    // Another process may have finished the same installation first.
    if (!isInstalled(root, { needsDev: true })) putInPlace(root, staging)
  } finally {
    await removeFolder(staging)
  }
}

/** npm prints nothing while it installs, which takes minutes on a slow machine. */
async function reportProgress(work) {
  const begin = Date.now()
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - begin) / 1_000)
    process.stderr.write(`hansard: still installing the packages, since ${seconds} s\n`)
  }, PROGRESS_MS)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
}

function createStagingFolder(root, staging) {
  try {
    mkdirSync(staging)
  } catch (error) {
    if (!NOT_WRITABLE_CODES.has(error.code)) throw error
    throw new LaunchError(
      `The packages must be installed, but this account cannot write to ${root}`,
      `Run with the account that owns the folder: ${prepareCommand(root)}`,
    )
  }
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    if (existsSync(join(root, name))) copyFileSync(join(root, name), join(staging, name))
}

/** Exchanges node_modules in two renames. The previous folder is kept until the new one is in place. */
function putInPlace(root, staging) {
  const current = join(root, 'node_modules')
  const previous = join(staging, PREVIOUS)
  if (existsSync(current)) {
    try {
      renameSync(current, previous)
    } catch (error) {
      throw new LaunchError(
        `node_modules could not be replaced: ${error.message}`,
        `Stop the service and run in ${root}: npm ci`,
      )
    }
  }
  try {
    renameSync(join(staging, 'node_modules'), current)
  } catch (error) {
    // Another process has meanwhile put its node_modules in place.
    if (isInstalled(root, { needsDev: false })) return
    if (existsSync(previous)) renameSync(previous, current)
    throw error
  }
  keepCache(previous, current)
}

/** Compiled code and the unpacked browser stay valid, because their names contain versions. */
function keepCache(previous, current) {
  if (existsSync(join(previous, '.cache')) && !existsSync(join(current, '.cache')))
    renameSync(join(previous, '.cache'), join(current, '.cache'))
}

/**
 * Cleans up after installations whose process has ended. If one ended between the two renames, node_modules is missing.
 * Then the new folder is put in place, or else the previous one.
 */
async function finishInterruptedInstalls(root) {
  for (const name of readdirSync(root)) {
    const [, pid] = STAGING_NAME.exec(name) ?? []
    if (pid === undefined || isAlive(Number(pid))) continue
    const staging = join(root, name)
    const candidates = [join(staging, PREVIOUS)]
    if (readInstalledPackages(staging) !== null) candidates.unshift(join(staging, 'node_modules'))
    for (const folder of candidates) {
      if (existsSync(folder) && !existsSync(join(root, 'node_modules')))
        renameSync(folder, join(root, 'node_modules'))
    }
    await removeFolder(staging)
  }
}

/** If this account may not remove a folder, it is left to the account that owns the installation. */
async function removeFolder(folder) {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    if (!NOT_WRITABLE_CODES.has(error.code)) throw error
  }
}

function isAlive(pid) {
  // The system has reused the number for this process, so that installation has ended.
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function prepareCommand(root) {
  return `node ${join(root, 'bin/hansard.mjs')} prepare`
}
