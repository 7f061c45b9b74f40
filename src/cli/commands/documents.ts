import { Option, type Command } from 'commander'
import type { MoveProgress } from '../../operations/documents/move-documents.ts'
import { DOCUMENT_PLACES, type DocumentPlace } from '../../projects/files/store/document-files.ts'
import { printJson, printLine } from '../output.ts'
import { withStorage } from '../with-storage.ts'

type MoveFlags = { to: DocumentPlace; skipUnsupported?: true; json?: true }

export function registerDocumentsCommand(program: Command): void {
  const documents = program
    .command('documents')
    .description('show or change where documents and prompts are stored')
  documents
    .command('status')
    .description('show where documents and prompts are')
    .option('--json', 'print JSON')
    .action(showStatus)
  documents
    .command('move')
    .description('move documents and prompts; stop all nodes first')
    .addOption(
      new Option('--to <place>', 'where to move them')
        .choices(DOCUMENT_PLACES)
        .makeOptionMandatory(),
    )
    .option('--skip-unsupported', 'leave links and unreadable files behind')
    .option('--json', 'print JSON')
    .action(move)
}

async function showStatus({ json }: { json?: true }): Promise<void> {
  const { readDocumentsStatus } = await import('../../operations/documents/documents-status.ts')
  await withStorage(async ({ database, folder }, config) => {
    const status = await readDocumentsStatus(database.db, folder.root)
    if (json) return printJson({ ...status, setting: config.documents })
    const where = status.place === 'folder' ? `the data folder ${folder.root}` : 'the database'
    printLine(`Documents and prompts are in ${where}: ${describeFiles(status)}`)
    if (status.place !== config.documents)
      printLine(
        `HANSARD_DOCUMENTS=${config.documents} differs. Move them: hansard documents move --to ${config.documents}`,
      )
    for (const name of status.oldFolders) printLine(`Old copy, not used: ${name}`)
  })
}

async function move({ to, skipUnsupported, json }: MoveFlags): Promise<void> {
  const { moveDocuments } = await import('../../operations/documents/move-documents.ts')
  await withStorage(async ({ database, folder, clock }, config) => {
    const { db, pool } = database
    const report = await moveDocuments({
      db,
      pool,
      root: folder.root,
      to,
      skipsUnsupported: skipUnsupported === true,
      now: clock.now(),
      onProgress: createProgressPrinter(),
    })
    if (json) return printJson(report)
    if (report.wasMoved) {
      printLine(`Moved to the ${to}: ${describeFiles(report)}, each compared by its SHA-256 digest`)
      if (report.alreadyCopied > 0)
        printLine(`${report.alreadyCopied} of them were already copied by an earlier move`)
    } else printLine(`Documents and prompts already are in the ${to}`)
    for (const path of report.skipped) printLine(`Left behind: ${path}`)
    for (const name of report.kept)
      printLine(`Old copy, kept in the data folder: ${name}. Remove it when you do not need it`)
    if (config.documents !== to)
      printLine(`Set HANSARD_DOCUMENTS=${to} on every node before you start them`)
  }, 'own')
}

function describeFiles({ files, bytes }: { files: number; bytes: number }): string {
  return `${files} files, ${(bytes / 1_000_000).toFixed(1)} MB`
}

const PROGRESS_MS = 1_000

/** Prints the first file, then about one line per second. */
function createProgressPrinter(): (progress: MoveProgress) => void {
  let printedAt = -Infinity
  return ({ done, total, bytes }) => {
    if (performance.now() - printedAt < PROGRESS_MS) return
    printedAt = performance.now()
    const megabytes = (bytes / 1_000_000).toFixed(1)
    process.stderr.write(`copied and compared ${done} of ${total} files, ${megabytes} MB\n`)
  }
}
