import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Whether node_modules contains the packages of the lockfile. npm writes its record last, so an interrupted install counts as none. */
export function isInstalled(root) {
  const wanted = readPackages(join(root, 'package-lock.json'))
  const present = readPackages(join(root, 'node_modules/.package-lock.json'))
  if (wanted === null)
    throw new Error('package-lock.json is missing or broken: restore it from the repository')
  if (present === null) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true
    if (present[path] === undefined) return entry.optional === true || entry.devOptional === true
    return present[path].version === entry.version
  })
}

/** Runs `npm ci` without install scripts, so that only the packages of the lockfile are downloaded and none of their code runs. */
export async function install(root) {
  process.stderr.write('hansard: installing the packages of package-lock.json (first start only)\n')
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
  const child = spawn(command, [...prefix, ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', resolve)
  })
  if (code !== 0) throw new Error('npm ci failed (see above). Is the package registry reachable?')
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages ?? null
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return null
    throw error
  }
}
