import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  createVerifiedSecretBox,
  masterKeyError,
  newMasterKey,
  readMasterKeyCheck,
  verifyMasterKey,
} from '../accounts/master-key.ts'
import { needsMasterKey, type Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import { OperatorError, PermanentError } from '../lib/operator-error.ts'
import type { SecretBox } from '../lib/crypto.ts'
import { formatPathBeforeRestore, readOrCreateSecret, type DataFolder } from './data-folder.ts'

/** False only for a node that attends meetings and has no key. */
export function hasMasterKey(config: Config, folder: DataFolder): boolean {
  return needsMasterKey(config) || readMasterKey(config, folder) !== null
}

const LOCKED_BOX: SecretBox = { seal: refuseWithoutKey, open: refuseWithoutKey }

function refuseWithoutKey(): never {
  throw new OperatorError(
    'This needs the master key, which this node does not have',
    'Run it on a node with the role api or tasks, or give this node HANSARD_MASTER_KEY',
  )
}

/** Opens the box that encrypts stored secrets. A new instance gets a new master key. */
export async function openSecretBox(
  db: Db,
  config: Config,
  folder: DataFolder,
): Promise<SecretBox> {
  if (!hasMasterKey(config, folder)) return LOCKED_BOX
  const { key, isNew } = await readOrCreateMasterKey(db, config, folder)
  try {
    return await createVerifiedSecretBox(db, key)
  } catch (error) {
    // Another node with its own key used the database first, so that node's key is the right one.
    if (isNew && error instanceof OperatorError) rmSync(masterKeyPath(folder), { force: true })
    throw error
  }
}

/** The master key, checked against the database. Creates one only if the database has none: any other is wrong. */
export async function readOrCreateMasterKey(
  db: Db,
  config: Config,
  folder: DataFolder,
): Promise<{ key: Buffer; isNew: boolean }> {
  const check = await readMasterKeyCheck(db)
  const key = readMasterKey(config, folder)
  if (key === null) {
    if (check !== null) throw masterKeyError('The master key of this database is missing')
    readOrCreateSecret(masterKeyPath(folder), newMasterKey)
    return { key: readKeyFile(masterKeyPath(folder)), isNew: true }
  }
  if (check !== null) verifyMasterKey(key, check)
  return { key, isNew: false }
}

/** The master key from the settings or from its file in the data folder; null if there is neither. */
export function readMasterKey(config: Config, folder: DataFolder): Buffer | null {
  if (config.masterKey !== undefined) return config.masterKey
  const path = masterKeyPath(folder)
  return existsSync(path) ? readKeyFile(path) : null
}

/** Stores the master key of a restored backup. If a different key exists, it is kept under another name. */
export function writeRestoredMasterKey(folder: DataFolder, key: string, now: Date): void {
  const path = masterKeyPath(folder)
  if (existsSync(path) && readFileSync(path, 'utf8').trim() !== key.trim())
    renameSync(path, formatPathBeforeRestore(path, now))
  readOrCreateSecret(path, () => key)
}

function masterKeyPath({ secrets }: DataFolder): string {
  return join(secrets, 'master.key')
}

function readKeyFile(path: string): Buffer {
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64')
  if (key.length === 32) return key
  throw new PermanentError(
    `${path} does not contain 32 bytes in base64`,
    'Restore the file from a backup',
  )
}
