import { spawnSync } from 'node:child_process'
import { delimiter, join, sep } from 'node:path'

/** The Node on the PATH, which may be older than the Node from the packages. */
export const systemNode = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes(`${sep}node_modules${sep}`))
  .map((folder) => join(folder, 'node'))
  .find((path) =>
    /^v[2-9]\d\./.test(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? ''),
  )

export const skipWithoutSystemNode =
  systemNode === undefined ? 'there is no Node 20 of its own here' : false
