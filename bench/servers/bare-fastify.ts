// The baseline: a bare Fastify whose handler runs only the select of GET /api/v1/token.
import { fastify } from 'fastify'
import { findToken } from '../../src/accounts/tokens/token-store.ts'
import { connectToDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { reportToParent } from '../support/child-server.ts'

const { db } = await connectToDatabase(
  { connectionString: process.env['DATABASE_URL'] },
  { max: 10, log: createLog('error') },
)
const id = process.env['TOKEN_ID'] ?? ''
const app = fastify()
app.get('/', async () => ({ token: await findToken(db, id) }))
reportToParent(await app.listen({ port: 0, host: '127.0.0.1' }))
