import { open, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import type { Command } from 'commander'
import { appendAudit, COMMAND_LINE } from '../../accounts/audit.ts'
import type { Config } from '../../config/config.ts'
import { readOrCreateSecret } from '../../storage/data-folder.ts'
import { OperatorError } from '../../errors.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { messageOf } from '../../lib/error-code.ts'
import { loadConfig, VERSION } from '../../config/load-config.ts'
import { createLog } from '../../log.ts'
import type { BareStorage } from '../../storage/open-storage.ts'
import { printJson, printLine } from '../output.ts'

type BackupOptions = { output?: string; withKey?: true; json?: true }

export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('write database and documents into one file, also while the service runs')
    .option('-o, --output <file>', 'where to; - is standard output (default: a name with the time)')
    .option('--with-key', 'put the master key inside: then the file is as secret as the key')
    .option('--json', 'print JSON')
    .action(makeBackup)

  program
    .command('restore')
    .description('put a backup into an empty database and data folder; the service must be stopped')
    .argument('<file>', 'what hansard backup wrote')
    .option(
      '--force',
      'replace what is there: tables of Hansard are dropped, files are moved aside',
    )
    .option('--json', 'print JSON')
    .action(restoreFile)

  program
    .command('export')
    .description('write everything as plain files (markdown and JSON) into a new folder')
    .argument('<folder>', 'new or empty')
    .option('--json', 'print JSON')
    .action(exportFolder)
}

async function makeBackup({ output, withKey, json }: BackupOptions): Promise<void> {
  const now = systemClock.now()
  const isPiped = output === '-'
  if (isPiped && process.stdout.isTTY) {
    throw new OperatorError('A backup is no text for a terminal', 'Name a file with -o')
  }
  const stamp = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  const file = resolve(output ?? `hansard-${stamp}.tar.gz`)
  const { writeBackup } = await import('../../operations/backup/write-backup.ts')
  const summary = await withBareStorage('join', async ({ database, folder }, config) => {
    const { readMasterKey } = await import('../../storage/open-storage.ts')
    const parts = {
      ...database,
      root: folder.root,
      version: VERSION,
      now,
      masterKey: withKey ? readMasterKey(config, folder) : null,
      onSkipped: (path: string) =>
        void process.stderr.write(`left out, since it is no file: ${path}\n`),
    }
    const done = isPiped
      ? await writeBackup(parts, process.stdout)
      : await writeAtomically(file, (to) => writeBackup(parts, to))
    // So that the console can say how old the newest one is.
    await appendAudit(database.db, now, COMMAND_LINE, 'backup made', isPiped ? null : file)
    return done
  })
  if (isPiped) return
  const rows = Object.values(summary.rows).reduce((sum, count) => sum + count, 0)
  if (json) return printJson({ file, ...summary })
  printLine(`${file}: ${rows} rows, ${summary.files} files`)
  printLine(
    withKey
      ? 'The master key is inside: whoever has this file can read every signing secret.'
      : 'The master key is not inside: keep secrets/master.key, or HANSARD_MASTER_KEY, in another place.',
  )
}

/** Under its name only once it is whole. */
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

/** Opened before anything else is done: a place that cannot be written to is told at once. */
async function openOutput(path: string): Promise<Writable> {
  try {
    const handle = await open(path, 'w', 0o600)
    return handle.createWriteStream({ flush: true })
  } catch (error) {
    throw new OperatorError(
      `The backup cannot be written: ${messageOf(error)}`,
      'Name another place with -o',
      error,
    )
  }
}

type RestoreOptions = { force?: true; json?: true }

async function restoreFile(given: string, { force, json }: RestoreOptions): Promise<void> {
  const file = resolve(given)
  const [{ verifyBackup }, { restoreBackup }] = await Promise.all([
    import('../../operations/backup/verify-backup.ts'),
    import('../../operations/backup/restore.ts'),
  ])
  // Before a server is started: a file that is no backup changes nothing at all.
  await verifyBackup(file)
  await withBareStorage('own', async ({ database, folder }, config) => {
    const now = systemClock.now()
    const isForced = force === true
    const done = await restoreBackup({ ...database, root: folder.root, file, now, isForced })
    const { manifest, masterKey, rows, files } = done
    if (masterKey !== null && config.masterKey === undefined) {
      readOrCreateSecret(join(folder.secrets, 'master.key'), () => masterKey)
    }
    const hasKey = await canOpenSecrets({ database, folder }, config)
    if (json) return printJson({ file, createdAt: manifest.createdAt, rows, files, hasKey })
    printLine(`Restored what was there at ${manifest.createdAt}, with ${files} files`)
    printLine(
      hasKey
        ? 'The master key fits. Start the service.'
        : 'The right master key is missing: put the old secrets/master.key into the data folder, or set HANSARD_MASTER_KEY.',
    )
  })
}

/** Whether the key that is here opens what is sealed in the database; without one none is made. */
async function canOpenSecrets(
  { database, folder }: Pick<BareStorage, 'database' | 'folder'>,
  config: Config,
): Promise<boolean> {
  const [{ existsSync }, { readMasterKey }, { openSecretBox }] = await Promise.all([
    import('node:fs'),
    import('../../storage/open-storage.ts'),
    import('../../accounts/master-key.ts'),
  ])
  if (config.masterKey === undefined && !existsSync(join(folder.secrets, 'master.key')))
    return false
  try {
    await openSecretBox(database.db, readMasterKey(config, folder))
    return true
  } catch (error) {
    if (error instanceof OperatorError) return false
    throw error
  }
}

async function exportFolder(given: string, { json }: { json?: true }): Promise<void> {
  const target = resolve(given)
  const { exportAll } = await import('../../operations/backup/export.ts')
  const done = await withBareStorage('join', ({ database, folder }) =>
    exportAll(database.db, folder.root, target),
  )
  if (json) return printJson({ folder: target, ...done })
  const { meetings, screenshots, tables, files } = done
  printLine(
    `${target}: ${meetings} meetings, ${screenshots} screenshots, ${tables} tables, ${files} files`,
  )
}

async function withBareStorage<T>(
  mode: 'own' | 'join',
  work: (storage: BareStorage, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig()
  const { openBareStorage } = await import('../../storage/open-storage.ts')
  await using storage = await openBareStorage(config, createLog('error'), mode)
  return await work(storage, config)
}
