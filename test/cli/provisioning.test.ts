import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { ScimClient } from '../provisioning/scim-world.ts'
import { openForFile } from '../support/open-for-file.ts'
import { startServiceWithCommands } from '../support/service/service-with-commands.ts'

const opened = openForFile(startServiceWithCommands)
const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await opened().hansard('provisioning', ...args)
  assert.equal(code, 0, stderr)
  return stdout
}
const runJson = async (...args: string[]) =>
  JSON.parse(await run(...args, '--json')) as Record<string, unknown>
const refuse = async (...args: string[]) => {
  const { code, stdout, stderr } = await opened().hansard('provisioning', ...args)
  assert.deepEqual([code, stdout], [1, ''])
  return stderr
}
/** A provisioning client with a new token. */
const createClient = async (name: string) => {
  const { token, secret } = await runJson('token', 'create', name)
  const { id } = token as { id: string }
  return { id, scim: new ScimClient(opened().service.url, String(secret)) }
}

test('provisioning is turned on and off, and status says so', async () => {
  const { service } = opened()
  assert.match(await run('status'), /^Provisioning {2}off\nDeactivation {2}revokes the service/)
  const { scim } = await createClient('Switch')
  assert.equal((await scim.get('/Users')).status, 403)
  assert.match(await run('on'), /^Provisioning {2}on\n/)
  assert.equal((await scim.get('/Users')).status, 200)
  assert.deepEqual(await runJson('off'), { isOn: false, revokesServiceTokens: true })
  assert.equal((await scim.get('/Users')).status, 403)
  await run('on')
  assert.match(await run('service-tokens', 'keep'), /keeps the service tokens/)
  const { tokens, ...status } = await runJson('status')
  const url = `${service.url}/scim/v2`
  assert.deepEqual(status, { isOn: true, revokesServiceTokens: false, url })
  assert.equal((tokens as unknown[]).length, 1)
})

test('the secret of a token is printed once, and works until the token is revoked', async () => {
  await run('on')
  const secret = /^Secret {2}(sp_\w+)\nCopy it now/.exec(await run('token', 'create', 'Okta'))?.[1]
  const scim = new ScimClient(opened().service.url, secret ?? '')
  assert.equal((await scim.get('/Users')).status, 200)
  const list = await run('token', 'list')
  assert.doesNotMatch(list, /sp_/)
  const [, id = ''] = /^(prv_\w+) +Okta +…\w{4} +2/m.exec(list) ?? []
  assert.equal(await run('token', 'revoke', id), `Revoked ${id}\n`)
  assert.equal((await scim.get('/Users')).status, 401)
  assert.match(await refuse('token', 'revoke', id), /^hansard: /)
})

test('a group gets a role in a project by its name or id, and loses it', async () => {
  await run('on')
  const admin = await opened().service.adminClient()
  const saved = await admin.put('/web/projects/sales/documents/a.md', 'x', {
    'content-type': 'text/markdown',
  })
  assert.ok(saved.status < 300, JSON.stringify(saved.body))
  const { scim } = await createClient('Groups')
  const eve = await scim.createUser('eve@corp.example')
  const groupId = await scim.createGroup('Sales \u001b[31mTeam', [eve])
  const grant = { groupId, project: 'sales' }
  assert.deepEqual(await runJson('grant', 'SALES \u001b[31mteam', 'sales', 'reader'), {
    ...grant,
    role: 'reader',
  })
  assert.match(await run('grant', groupId, 'sales', 'editor'), /are now editors of sales\n$/)
  const table = await run('groups', '--search', 'team')
  assert.match(table, /^ID +NAME +MEMBERS +ROLES\n.* 1 +sales: editor\n$/)
  assert.ok(!table.includes('\u001b'))
  const members = async () => {
    const { body } = await admin.get('/web/projects/sales/members')
    return JSON.stringify(body)
  }
  assert.match(await members(), new RegExp(eve))
  assert.deepEqual(await runJson('ungrant', groupId, 'sales'), { ...grant, role: null })
  assert.doesNotMatch(await members(), new RegExp(eve))
  assert.match(await run('groups', '--search', 'nothing'), /^No group has this text/)
  assert.match(await refuse('grant', 'Nobody', 'sales', 'reader'), /^hansard: .*group/i)
  assert.match(await refuse('grant', groupId, 'no-such', 'reader'), /^hansard: .*project/i)
})
