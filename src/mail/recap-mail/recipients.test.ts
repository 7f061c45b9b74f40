import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { RecapMailChoice } from './choice-names.ts'
import { findRecapRecipients, type RecapAudience } from './recipients.ts'

const READERS = ['Ada', 'Ben', 'Eve', 'Eve'].map((name, i) => ({
  userId: `${name}${i}`,
  name,
  email: `${name.toLowerCase()}${i}@example.com`,
}))

function find(audience: Partial<RecapAudience>, choices: Record<string, RecapMailChoice> = {}) {
  const base: RecapAudience = {
    project: 'api',
    recipients: 'participants',
    invitedAddresses: [],
    participantNames: [],
    endedAt: new Date(),
    origin: 'attended',
    guests: null,
  }
  return findRecapRecipients({ ...base, ...audience }, READERS, new Map(Object.entries(choices)))
    .map(({ userId }) => userId)
    .join(' ')
}

test('participants are found by the address of their invitation', () => {
  const invitedAddresses = ['ben1@example.com', 'stranger@example.com']
  assert.equal(find({ invitedAddresses, participantNames: ['Ada'] }), 'Ben1')
})

test('without an invitation participants are found by their exact name, if only one reader has it', () => {
  assert.equal(find({ participantNames: ['Ada', 'ben', 'Eve', 'Guest'] }), 'Ada0')
})

test('a project that mails its recaps to nobody mails them to nobody', () => {
  assert.equal(find({ recipients: 'nobody', participantNames: ['Ada'] }), '')
})

test('people choose which of the recaps they get', () => {
  const participantNames = ['Ada']
  assert.equal(find({ recipients: 'members', participantNames }), 'Ada0 Ben1 Eve2 Eve3')
  assert.equal(
    find(
      { recipients: 'members', participantNames },
      { Ada0: 'took_part', Ben1: 'took_part', Eve2: 'none' },
    ),
    'Ada0 Eve3',
  )
  assert.equal(find({ participantNames }, { Ada0: 'none' }), '')
})
