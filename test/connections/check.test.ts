import { strict as assert } from 'node:assert'
import { execFileSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openForFile } from '../support/open-for-file.ts'
import { requireEnv } from '../support/database/test-database.ts'
import {
  addConnection,
  ORGANIZER,
  check,
  connectionFields,
  getConnection,
  startConnectionWorld,
} from '../support/microsoft/connection-world.ts'
import { ALL_PERMISSIONS, CLIENT_SECRET } from '../support/microsoft/tenant.ts'

const world = openForFile(() => startConnectionWorld())

/** A certificate as an administrator makes it with OpenSSL, and its private key. */
function createCertificate() {
  const folder = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'certificate-'))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '36500']
  execFileSync(
    'openssl',
    [...request, '-subj', '/CN=hansard', '-keyout', key, '-out', certificate],
    {
      stdio: 'ignore',
    },
  )
  const [keyPem, certificatePem] = [readFileSync(key, 'utf8'), readFileSync(certificate, 'utf8')]
  rmSync(folder, { recursive: true })
  const { raw, publicKey } = new X509Certificate(certificatePem)
  return {
    pem: `${keyPem}${certificatePem}`,
    keyPem,
    thumbprint: createHash('sha256').update(raw).digest('base64url'),
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }
}

test('a check of a connection with everything in place succeeds, with a line for each permission and person', async () => {
  const { admin } = world()
  const { id, problem } = await addConnection(world())
  assert.equal(problem, null)
  const { ok, checks } = await check(admin, id)
  assert.equal(ok, true)
  assert.deepEqual(
    checks.map(({ name }) => name),
    [
      'Sign in',
      ...['User.Read.All', ...ALL_PERMISSIONS.slice(1)].map((one) => `Permission ${one}`),
      ORGANIZER,
    ],
  )
})

test('a check names each permission without consent, and a read names the first one', async () => {
  const { admin, microsoft } = world()
  microsoft.tenant.permissions = ['User.Read.All']
  const { id, problem } = await addConnection(world())
  assert.deepEqual(problem, {
    code: 'permission_missing',
    text: 'Admin consent for the application permission OnlineMeetingTranscript.Read.All is not granted',
  })
  const { ok, checks } = await check(admin, id)
  assert.equal(ok, false)
  assert.deepEqual(
    checks.filter((line) => !line.ok).map(({ name }) => name),
    ['Permission OnlineMeetings.Read.All', 'Permission OnlineMeetingTranscript.Read.All'],
  )
  microsoft.tenant.permissions = [...ALL_PERMISSIONS]
  assert.equal((await check(admin, id)).ok, true)
})

const REFUSALS = {
  'a secret that was removed': ['secret_wrong', (tenant) => void (tenant.secrets = [])],
  'a secret that expired': [
    'secret_expired',
    (tenant) => void (tenant.secrets = [{ value: CLIENT_SECRET, expired: true }]),
  ],
  'an application that was disabled': [
    'app_not_found',
    (tenant) => void (tenant.isAppDisabled = true),
  ],
  'a tenant that lets no app read transcripts': [
    'transcripts_disabled',
    (tenant) => void (tenant.hasTranscriptAccess = false),
  ],
} as const satisfies Record<
  string,
  readonly [string, (tenant: ReturnType<typeof world>['microsoft']['tenant']) => void]
>

for (const [name, [code, change]] of Object.entries(REFUSALS)) {
  test(`a read of ${name} ends with ${code}, and works again when that is repaired`, async () => {
    await using own = await startConnectionWorld()
    const { admin, microsoft, clock } = own
    const before = { ...microsoft.tenant }
    change(microsoft.tenant)
    const { id, problem, brokenSince } = await addConnection(own)
    assert.equal(problem?.code, code)
    assert.equal(brokenSince, clock.now().toISOString())
    const { checks } = await check(admin, id)
    assert.ok(checks.some(({ ok, text }) => !ok && text === problem?.text))
    Object.assign(microsoft.tenant, before)
    assert.equal((await check(admin, id)).ok, true)
  })
}

test('an organizer without an account in the tenant, and one without a policy, are named', async () => {
  const { admin, organizer } = world()
  organizer.hasPolicy = false
  const { id } = await addConnection(world(), { organizers: [ORGANIZER, 'nobody@example.com'] })
  const { organizers, problem } = await getConnection(admin, id)
  assert.equal(problem, null)
  assert.deepEqual(
    organizers.map(({ address, problem: own }) => [address, own?.code]),
    [
      [ORGANIZER, 'policy_missing'],
      ['nobody@example.com', 'organizer_not_found'],
    ],
  )
  const { checks } = await check(admin, id)
  assert.equal(checks.filter(({ ok }) => !ok).length, 2)
  organizer.hasPolicy = true
})

test('a certificate signs in, and one that the application does not have is refused', async () => {
  const { admin, microsoft } = world()
  const certificate = createCertificate()
  const fields = { clientSecret: undefined, certificate: certificate.pem }
  const refused = await addConnection(world(), fields)
  assert.equal(refused.problem?.code, 'certificate_refused')
  microsoft.tenant.certificates.push(certificate)
  assert.equal((await check(admin, refused.id)).ok, true)
  const { credential, thumbprint, credentialExpiresAt } = refused
  assert.equal(credential, 'certificate')
  assert.equal(
    thumbprint,
    Buffer.from(certificate.thumbprint, 'base64url').toString('hex').toUpperCase(),
  )
  assert.notEqual(credentialExpiresAt, null)
})

test('a wrong clock of an hour is named, for a certificate and in the check of a secret', async () => {
  await using own = await startConnectionWorld()
  const { admin, microsoft, clock } = own
  const certificate = createCertificate()
  microsoft.tenant.certificates.push(certificate)
  microsoft.tenant.now = () => new Date(clock.now().getTime() + 3_600_000)
  const fields = { clientSecret: undefined, certificate: certificate.pem }
  const { problem } = await addConnection(own, fields)
  assert.match(
    problem?.text ?? '',
    /^The clock of this machine differs from Microsoft’s by 60 minutes/,
  )
  assert.equal(problem?.code, 'clock_wrong')
  const { id } = await addConnection(own, { name: 'With a secret' })
  const { checks } = await check(admin, id)
  assert.equal(checks.find(({ name }) => name === 'Clock')?.ok, false)
})

test('a file that is no certificate is refused with the reason, and nothing is stored', async () => {
  const { admin, clock } = world()
  const { keyPem, pem } = createCertificate()
  const other = createCertificate()
  const { connections: before } = (await admin.get('/web/connections')).body as { connections: [] }
  const cases = {
    'no PEM': /unencrypted private key/,
    [keyPem]: /Must contain the certificate/,
    [`${keyPem}${other.pem.slice(other.keyPem.length)}`]: /does not belong to the certificate/,
  }
  for (const [certificate, message] of Object.entries(cases)) {
    const { clientSecret: _, ...fields } = connectionFields(clock)
    const answer = await admin.post('/web/connections', { ...fields, certificate })
    assert.equal(answer.status, 400)
    assert.match(JSON.stringify(answer.body), message)
  }
  const { connections: after } = (await admin.get('/web/connections')).body as { connections: [] }
  assert.equal(after.length, before.length)
  assert.ok(pem.length > 0)
})
