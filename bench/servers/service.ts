// The whole service, with two additional routes that leave out parts of the real one.
import { findToken } from '../../src/accounts/tokens/token-store.ts'
import { connectToDatabase } from '../../src/db/database.ts'
import { parseConfig } from '../../src/config/config.ts'
import { TokenResponse } from '../../src/http/shapes/account.ts'
import { ServiceError } from '../../src/errors.ts'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { createLog } from '../../src/log.ts'
import { openService } from '../../src/app/service.ts'
import { reportToParent } from '../support/child-server.ts'

const log = createLog('error')
const config = parseConfig({ env: process.env, root: INSTALLATION_FOLDER })
const { db } = await connectToDatabase({ connectionString: config.databaseUrl }, { max: 10, log })
const id = process.env['TOKEN_ID'] ?? ''

const service = await openService(config, log, {
  routes(app) {
    app.get(
      '/bench/without-key',
      { config: { access: 'open', subject: 'none' }, schema: { response: { 200: TokenResponse } } },
      async () => {
        const token = await findToken(db, id)
        if (token === null) throw new ServiceError('token_not_found')
        return { token }
      },
    )
  },
})
reportToParent(service.url)
process.on('SIGTERM', () => void service[Symbol.asyncDispose]().then(() => process.exit(0)))
