// The yardstick: a bare Fastify whose handler does the select of GET /api/v1/token and nothing else.
import { fastify } from 'fastify'
import { findToken } from '../../src/accounts/tokens-store.ts'
import { openDatabase } from '../../src/db/open.ts'
import { createLog } from '../../src/log.ts'
import { tellParent } from '../support/child.ts'

const { db } = await openDatabase(
  { connectionString: process.env['DATABASE_URL'] },
  { max: 10, log: createLog('error') },
)
const id = process.env['TOKEN_ID'] ?? ''
const app = fastify()
app.get('/', async () => ({ token: await findToken(db, id) }))
tellParent(await app.listen({ port: 0, host: '127.0.0.1' }))
