import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * True if node_modules contains the packages of the lockfile. Without `needsDev`, the packages for development may be
 * missing. npm writes its record last, so an interrupted installation has no record.
 */
export function isInstalled(root, { needsDev }) {
  const wanted = readPackages(join(root, 'package-lock.json'))
  if (wanted === null)
    throw new Error('package-lock.json is missing or broken: restore it from the repository')
  const present = readInstalledPackages(root)
  if (present === null) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || (entry.dev === true && !needsDev)) return true
    if (present[path] === undefined) return entry.optional === true || entry.devOptional === true
    return present[path].version === entry.version
  })
}

/** The packages in node_modules by path, as npm recorded them; null if no installation has finished. */
export function readInstalledPackages(root) {
  return readPackages(join(root, 'node_modules/.package-lock.json'))
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages ?? null
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return null
    throw error
  }
}
