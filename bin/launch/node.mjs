import { existsSync } from 'node:fs'
import { join } from 'node:path'

// The first Node release with the type stripping and argon2 that Hansard needs.
const NEEDED = [24, 7, 0]

export function isRecentEnough(version) {
  const have = version.split('.').map(Number)
  for (const [i, needed] of NEEDED.entries()) {
    if (have[i] !== needed) return have[i] > needed
  }
  return true
}

/** Path of the Node binary from the npm packages, for machines with an older Node. */
export function packagedNode(root) {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${platform}-${process.arch}`
  const binary = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  const path = join(root, 'node_modules', name, binary)
  if (existsSync(path)) return path
  throw new Error(
    `Node ${NEEDED.join('.')} or newer is needed, this is ${process.versions.node}, ` +
      `and the package ${name} is not installed. Install a newer Node, or run: npm ci --include=optional`,
  )
}
