import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'

/** Written by `npm pack`, because a package has no Git folder. */
export const COMMIT_FILE = 'dist/js/commit'

/** The commit of the code in an installation, shortened; null when it is not known. */
export function readCommit(root: string): string | null {
  const commit = readGitCommit(join(root, '.git')) ?? readIfExists(join(root, COMMIT_FILE))
  return commit === null || !/^[0-9a-f]{12}/.test(commit) ? null : commit.slice(0, 12)
}

/** Reads the files of Git, because the program may be missing and takes long to start. */
function readGitCommit(folder: string): string | null {
  if (!existsSync(join(folder, 'HEAD'))) return null
  const head = readFileSync(join(folder, 'HEAD'), 'utf8').trim()
  if (!head.startsWith('ref: ')) return head
  const name = head.slice('ref: '.length)
  if (isAbsolute(name) || name.includes('..')) return null
  const packed = readIfExists(join(folder, 'packed-refs')) ?? ''
  const line = packed.split('\n').find((one) => one.endsWith(` ${name}`))
  return readIfExists(join(folder, name)) ?? line ?? null
}

function readIfExists(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}
