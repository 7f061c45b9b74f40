import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerAccount } from './account.ts'
import { isAlive, readPostmaster } from './postmaster.ts'

/** PostgreSQL's socket file in a folder longer than this does not fit the address of a Unix socket. */
const MAX_BYTES = 85

/** The cluster folder itself where its path fits, else a temporary one. */
export function chooseSocketFolder(cluster: string, account: ServerAccount | null): string {
  return Buffer.byteLength(cluster) <= MAX_BYTES ? cluster : makeServerFolder(account)
}

/** A short, private folder that the server's account may write to. */
export function makeServerFolder(account: ServerAccount | null): string {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-'))
  if (account !== null) chownSync(folder, account.uid, account.gid)
  return folder
}

/** After kill -9 the temporary folder of the last server is still there. */
export function removeOldSocketFolder(cluster: string): void {
  const old = readPostmaster(cluster)
  if (old !== null && !isAlive(old.pid)) removeSocketFolder(old.socketFolder)
}

export function removeSocketFolder(folder: string): void {
  const isTemporary = folder.startsWith(join(tmpdir(), 'hansard-'))
  if (isTemporary) rmSync(folder, { recursive: true, force: true })
}
