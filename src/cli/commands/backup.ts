import { open, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import type { Command } from 'commander'
import { appendAudit, COMMAND_LINE_ACTOR } from '../../accounts/audit.ts'
import type { Config } from '../../config/config.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { errorMessageOf } from '../../lib/error-code.ts'
import { loadConfig, HANSARD_VERSION } from '../../config/load-config.ts'
import { createLog } from '../../log.ts'
import type { UnmigratedStorage } from '../../storage/open-storage.ts'
import { printJson, printLine } from '../output.ts'

type BackupOptions = { output?: string; withKey?: true; json?: true }

export function registerBackupRestoreAndExportCommands(program: Command): void {
  program
    .command('backup')
    .description('write the database and documents into one file; the service may be running')
    .option(
      '-o, --output <file>',
      'file to write; - for standard output (default: a name with the current time)',
    )
    .option('--with-key', 'include the master key; protect the file like the key')
    .option('--json', 'print JSON')
    .action(makeBackup)

  program
    .command('restore')
    .description('restore a backup into an empty database and data folder; stop the service first')
    .argument('<file>', 'backup file')
    .option(
      '--force',
      'replace existing data: Hansard’s tables are dropped, its files are moved to another folder',
    )
    .option('--any-size', 'restore a trusted file that expands to an unusual size')
    .option('--json', 'print JSON')
    .action(restoreFile)

  program
    .command('export')
    .description('write everything as plain files (markdown and JSON) into a new folder')
    .argument('<folder>', 'new or empty folder')
    .option('--json', 'print JSON')
    .action(exportFolder)
}

async function makeBackup({ output, withKey, json }: BackupOptions): Promise<void> {
  const now = systemClock.now()
  const isPiped = output === '-'
  if (isPiped && process.stdout.isTTY) {
    throw new OperatorError('A backup cannot be printed in a terminal', 'Choose a file with -o')
  }
  const stamp = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  const file = resolve(output ?? `hansard-${stamp}.tar.gz`)
  const { writeBackup } = await import('../../operations/backup/write-backup.ts')
  const summary = await withBareStorage('join', async ({ database, folder }, config) => {
    const { readOrCreateMasterKey } = await import('../../storage/master-key-file.ts')
    const parts = {
      ...database,
      root: folder.root,
      version: HANSARD_VERSION,
      now,
      masterKey: withKey ? (await readOrCreateMasterKey(database.db, config, folder)).key : null,
      onSkipped: (path: string) =>
        void process.stderr.write(`skipped, because it is not a regular file: ${path}\n`),
    }
    const done = isPiped
      ? await writeBackup(parts, process.stdout)
      : await writeAtomically(file, (to) => writeBackup(parts, to))
    // The audit entry lets the console show the time of the newest backup.
    await appendAudit(database.db, now, COMMAND_LINE_ACTOR, 'backup made', isPiped ? null : file)
    return done
  })
  if (isPiped) return
  const rows = Object.values(summary.rows).reduce((sum, count) => sum + count, 0)
  if (json) return printJson({ file, ...summary })
  printLine(`${file}: ${rows} rows, ${summary.files} files`)
  printLine(
    withKey
      ? 'The backup contains the master key: anyone who has the file can read every signing secret.'
      : 'The backup does not contain the master key: store secrets/master.key, or HANSARD_MASTER_KEY, separately.',
  )
}

/** Writes to a temporary file and renames it when it is complete. */
async function writeAtomically<T>(file: string, write: (to: Writable) => Promise<T>): Promise<T> {
  const part = `${file}.part`
  const output = await openOutput(part)
  try {
    const done = await write(output)
    await rename(part, file)
    return done
  } catch (error) {
    output.destroy()
    await rm(part, { force: true })
    throw error
  }
}

/** Opens the output before the backup starts, so that an unwritable path is reported immediately. */
async function openOutput(path: string): Promise<Writable> {
  try {
    const handle = await open(path, 'w', 0o600)
    return handle.createWriteStream({ flush: true })
  } catch (error) {
    throw new OperatorError(
      `The backup could not be written: ${errorMessageOf(error)}`,
      'Choose another path with -o',
      error,
    )
  }
}

type RestoreOptions = { force?: true; anySize?: true; json?: true }

async function restoreFile(given: string, options: RestoreOptions): Promise<void> {
  const { force, anySize, json } = options
  const file = resolve(given)
  const [{ verifyBackup }, { restoreBackup }] = await Promise.all([
    import('../../operations/backup/verify-backup.ts'),
    import('../../operations/backup/restore.ts'),
  ])
  // The backup is verified before the database is opened, so that an invalid file changes nothing.
  const backup = await verifyBackup(file, anySize ? Infinity : undefined)
  await withBareStorage('own', async ({ database, folder }, config) => {
    const now = systemClock.now()
    const isForced = force === true
    const { pool } = database
    const done = await restoreBackup({
      pool,
      root: folder.root,
      backup,
      now,
      documents: config.documents,
      isForced,
    })
    const { manifest, masterKey, rows, files } = done
    if (masterKey !== null && config.masterKey === undefined) {
      const { writeRestoredMasterKey } = await import('../../storage/master-key-file.ts')
      writeRestoredMasterKey(folder, masterKey, now)
    }
    const hasKey = await canOpenSecrets({ database, folder }, config)
    if (json) return printJson({ file, createdAt: manifest.createdAt, rows, files, hasKey })
    printLine(`Restored the backup of ${manifest.createdAt}, with ${files} files`)
    printLine(
      hasKey
        ? 'The master key is correct. You can start the service.'
        : 'The right master key is missing. Copy the original secrets/master.key into the data folder, or set HANSARD_MASTER_KEY.',
    )
  })
}

/** True if the configured master key matches the restored database. Does not create a missing key. */
async function canOpenSecrets(
  { database, folder }: Pick<UnmigratedStorage, 'database' | 'folder'>,
  config: Config,
): Promise<boolean> {
  const [{ readMasterKey }, { createVerifiedSecretBox }] = await Promise.all([
    import('../../storage/master-key-file.ts'),
    import('../../accounts/master-key.ts'),
  ])
  const key = readMasterKey(config, folder)
  if (key === null) return false
  try {
    await createVerifiedSecretBox(database.db, key)
    return true
  } catch (error) {
    if (error instanceof OperatorError) return false
    throw error
  }
}

async function exportFolder(given: string, { json }: { json?: true }): Promise<void> {
  const target = resolve(given)
  const { exportInstance } = await import('../../operations/backup/export.ts')
  const done = await withBareStorage('join', ({ database, folder }) =>
    exportInstance(database.db, folder.root, target),
  )
  if (json) return printJson({ folder: target, ...done })
  const { meetings, screenshots, tables, files } = done
  printLine(
    `${target}: ${meetings} meetings, ${screenshots} screenshots, ${tables} tables, ${files} files`,
  )
}

async function withBareStorage<T>(
  mode: 'own' | 'join',
  work: (storage: UnmigratedStorage, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig()
  const { openUnmigratedStorage } = await import('../../storage/open-storage.ts')
  await using storage = await openUnmigratedStorage(config, createLog('error'), mode)
  return await work(storage, config)
}
