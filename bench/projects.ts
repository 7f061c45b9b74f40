import { mkdirSync, writeFileSync } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../src/db/database.ts'
import { createLog } from '../src/log.ts'
import { createFolderDocuments } from '../src/projects/files/store/folder-documents.ts'
import { findFrontMatter } from '../src/projects/front-matter.ts'
import { createUnreadableFolderTracker } from '../src/projects/index/index-store.ts'
import { reconcileIndex } from '../src/projects/index/reconcile.ts'
import { openInstanceDatabase, openInstance, type Instance } from './support/instance.ts'
import { memoryInUse } from './support/memory.ts'
import { median, timed } from './support/figures.ts'

const SIZES = [100, 10_000, 100_000]
const READS = 60
const WALKS = 9
const CHANGES = 5
const AT_ONCE = 64
/** How many documents of each size contain a word that no other document contains. */
const RARE = 10
const PATHS = {
  listMs: '/api/v1/projects/bench/meetings?limit=50',
  rareMs: '/api/v1/search?q=rarity&limit=20',
  commonMs: '/api/v1/search?q=everywhere&limit=20',
}

export const projects = {
  about: 'a project of 100, 10,000 and 100,000 documents: listing, search, a change, a start',
  async run() {
    await using stack = new AsyncDisposableStack()
    const worlds: World[] = []
    for (const size of SIZES) worlds.push(stack.use(await prepare(size)))
    // Alternates between the sizes, so that other load affects all of them. The first round is a warm-up.
    const rows = await measureInTurns(worlds)
    for (const row of rows) print(row)
    const [smallest, largest] = [rows[0], rows.at(-1)]
    if (!smallest || !largest) return
    const ratio = (name: keyof Figures) => (largest[name] / smallest[name]).toFixed(2)
    console.log(`  ${largest.size} against ${smallest.size} documents, medians`)
    console.log(`  listing          ${ratio('listMs')} times (goal: at most 2)`)
    console.log(`  rare word        ${ratio('rareMs')} times (goal: at most 2)`)
    console.log(`  common word      ${ratio('commonMs')} times (goal: at most 2)`)
    console.log(`  change noticed   ${ratio('changeMs')} times`)
    console.log(
      `  start            ${(largest.reconcileMs / largest.walkMs).toFixed(2)} times a bare walk (goal: at most 1.5)`,
    )
    console.log(
      `  plain listing    ${(largest.plainMs / largest.listMs).toFixed(0)} times the listing from the index`,
    )
  },
}

type Figures = {
  size: number
  listMs: number
  rareMs: number
  commonMs: number
  changeMs: number
  reconcileMs: number
  walkMs: number
  plainMs: number
  heapMb: number
}

function print(row: Figures): void {
  const ms = (value: number) => `${value.toFixed(1)} ms`
  console.log(`  ${row.size} documents`)
  console.log(`    first page     ${ms(row.listMs)}; reading every file: ${ms(row.plainMs)}`)
  console.log(
    `    search         ${ms(row.rareMs)} for a rare word, ${ms(row.commonMs)} for a common one`,
  )
  console.log(`    change noticed ${ms(row.changeMs)} (goal: below 2,000)`)
  console.log(`    start          ${ms(row.reconcileMs)}; bare walk: ${ms(row.walkMs)}`)
  console.log(`    memory         ${row.heapMb.toFixed(0)} MB of heap more`)
}

type World = AsyncDisposable & {
  size: number
  instance: Instance
  folder: string
  db: Db
  heapMb: number
}

async function prepare(size: number): Promise<World> {
  await using stack = new AsyncDisposableStack()
  const before = memoryInUse().heap
  const instance = stack.use(await openInstance())
  const folder = join(instance.data, 'deployed-md-files/docs/bench/meetings')
  mkdirSync(folder, { recursive: true })
  for (let i = 0; i < size; i += 1) writeFileSync(join(folder, `${i}.md`), document(i, size))
  const { db } = stack.use(await openInstanceDatabase(instance.data))
  const began = performance.now()
  for (let known = 0; known < size;) {
    await sleep(200)
    const { rows } = await sql<{ count: string }>`select count(*) from document`.execute(db)
    known = Number(rows[0]?.count)
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`  ${size} indexed for the first time in ${seconds} s`)
  // PostgreSQL does this by itself within minutes.
  for (const table of ['document', 'passage'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db)
  await sql`checkpoint`.execute(db)
  const heapMb = (memoryInUse().heap - before) / 1024 ** 2
  const opened = stack.move()
  const dispose = () => opened.disposeAsync()
  return { size, instance, folder, db, heapMb, [Symbol.asyncDispose]: dispose }
}

type Kind = Exclude<keyof Figures, 'size' | 'heapMb'>

async function measureInTurns(worlds: readonly World[]): Promise<Figures[]> {
  const all = worlds.map(() => new Map<Kind, number[]>())
  const note = async (world: number, kind: Kind, work: () => Promise<unknown>, isWarm = true) => {
    const took = await timed(work)
    if (isWarm) all[world]?.set(kind, [...(all[world]?.get(kind) ?? []), took])
  }
  for (let round = 0; round <= READS; round += 1) {
    for (const [i, { instance }] of worlds.entries()) {
      for (const [kind, path] of Object.entries(PATHS) as Array<[Kind, string]>) {
        await note(i, kind, () => instance.read(path), round > 0)
      }
    }
  }
  for (let round = 0; round <= WALKS; round += 1) {
    for (const [i, { db, folder, instance }] of worlds.entries()) {
      const log = createLog('error')
      const unreadableFolders = createUnreadableFolderTracker(log)
      const parts = {
        db,
        log,
        root: instance.data,
        files: createFolderDocuments(instance.data),
        learnWords: () => undefined,
        unreadableFolders,
      }
      await note(i, 'walkMs', () => bareWalk(folder), round > 0)
      // The first pass rereads files that changed while they were read.
      const start = () => reconcileIndex({ ...parts, onFolder: () => undefined })
      await note(i, 'reconcileMs', start, round > 0)
    }
  }
  for (let round = 0; round < CHANGES; round += 1) {
    for (const [i, { instance, folder }] of worlds.entries()) {
      await note(i, 'changeMs', () => noticeChange(instance, folder, round))
    }
  }
  for (const [i, { folder }] of worlds.entries()) {
    await note(i, 'plainMs', () => plainListing(folder))
  }
  return worlds.map(({ size, heapMb }, i) => {
    const of = (kind: Kind) => median(all[i]?.get(kind) ?? [])
    return {
      size,
      heapMb,
      listMs: of('listMs'),
      rareMs: of('rareMs'),
      commonMs: of('commonMs'),
      changeMs: of('changeMs'),
      reconcileMs: of('reconcileMs'),
      walkMs: of('walkMs'),
      plainMs: of('plainMs'),
    }
  })
}

function document(i: number, size: number): string {
  const date = new Date(Date.UTC(2020, 0, 1, 0, i)).toISOString()
  const rare = i % (size / RARE) === 0 ? 'A rarity was shown.' : ''
  return `---\ntitle: "Talk ${i}"\ndate: "${date}"\nmeetingId: "m${i}"\nstatus: "completed"\n---\n\n# Talk ${i}\n\n**Ana** This is said everywhere, about item ${i * 7919}. ${rare}\n`
}

async function noticeChange({ read }: Instance, folder: string, i: number): Promise<void> {
  const word = `changed${i}x${Date.now()}`
  writeFileSync(join(folder, `${i}.md`), word)
  while (!(await read(`/api/v1/search?q=${word}`)).includes('"line"')) await sleep(10)
}

/** The baseline: lists all files and reads the metadata of each. */
async function bareWalk(folder: string): Promise<void> {
  const names = await readdir(folder, { withFileTypes: true })
  for (let i = 0; i < names.length; i += AT_ONCE) {
    await Promise.all(names.slice(i, i + AT_ONCE).map(({ name }) => lstat(join(folder, name))))
  }
}

/** The simple approach: each request reads the front matter of every file. */
async function plainListing(folder: string): Promise<void> {
  const names = await readdir(folder)
  const dates: Array<{ name: string; date: string }> = []
  for (let i = 0; i < names.length; i += AT_ONCE) {
    await Promise.all(
      names.slice(i, i + AT_ONCE).map(async (name) => {
        await using file = await open(join(folder, name))
        const fields = findFrontMatter(await file.readFile('utf8'))?.fields ?? {}
        dates.push({ name, date: String(fields['date']) })
      }),
    )
  }
  dates.sort((a, b) => (a.date < b.date ? 1 : -1))
}
