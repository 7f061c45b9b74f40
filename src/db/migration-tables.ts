import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Driver,
} from 'kysely'
import type { Migration } from 'kysely/migration'

const NAME = String.raw`(?:"?[a-z_]+"?\.)?"?(?<table>[a-z_][a-z0-9_]*)"?`
/** Statements that change a table or read all of it. */
const TOUCHING = [
  String.raw`alter table (?:if exists )?(?:only )?${NAME}`,
  String.raw`update (?:only )?${NAME}`,
  String.raw`(?:insert into|delete from|truncate(?: table)?|drop table(?: if exists)?) ${NAME}`,
  String.raw`create (?:unique )?index (?:if not exists )?"?[a-z_0-9]+"? on (?:only )?${NAME}`,
].map((pattern) => new RegExp(`^${pattern}\\b`, 'i'))

/** The tables that a migration changes. Its statements are only collected: they reach no database. */
export async function findTouchedTables(migration: Migration): Promise<string[]> {
  const tables = new Set<string>()
  for (const statement of await collectStatements(migration)) {
    const plain = statement.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim()
    for (const pattern of TOUCHING) {
      const table = pattern.exec(plain)?.groups?.['table']
      if (table !== undefined) tables.add(table.toLowerCase())
    }
  }
  return [...tables]
}

async function collectStatements(migration: Migration): Promise<string[]> {
  const statements: string[] = []
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => createCollectingDriver(statements),
      createIntrospector: (target) => new PostgresIntrospector(target),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  await migration.up(db)
  return statements
}

/** Answers every statement with no rows. */
function createCollectingDriver(statements: string[]): Driver {
  const driver = new DummyDriver()
  driver.acquireConnection = async () => ({
    async executeQuery({ sql }) {
      statements.push(sql)
      return { rows: [] }
    },
    streamQuery() {
      throw new Error('a migration streams no rows')
    },
  })
  return driver
}
