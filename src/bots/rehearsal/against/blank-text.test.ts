import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { GOOGLE_MEET_PAGE_MODEL } from '../../platforms/google-meet/page-model.ts'
import { MICROSOFT_TEAMS_PAGE_MODEL } from '../../platforms/microsoft-teams/page-model.ts'
import { createTextBlanker } from './blank-text.ts'

function openBlanker(...names: string[]) {
  const blanker = createTextBlanker([GOOGLE_MEET_PAGE_MODEL, MICROSOFT_TEAMS_PAGE_MODEL])
  for (const name of names) blanker.addName(name)
  return blanker
}

test('words of the platform stay, and words of people are blanked', () => {
  const { blankText } = openBlanker('Will Meeting', 'Zoë')
  const denied = 'Someone in the call denied your request to join'
  const cases: Array<[text: string, blanked: string]> = [
    ['Ask to join', 'Ask to join'],
    [denied, denied],
    ['Pin Ana Ribeiro to your main screen', 'Pin xxx xxxxxxx to your main screen'],
    ['Will and Zoë joined', 'xxxx and xxx joined'],
    ['The budget is 4,200 euros', 'The xxxxxx is 0,000 xxxxx'],
    ['予算は', 'xxx'],
    ['abc-defg-hij', 'xxx-xxxx-xxx'],
  ]
  for (const [text, blanked] of cases) assert.equal(blankText(text), blanked)
})

test('identifiers stay readable, but neither names nor numbers in them', () => {
  const { blankIdentifier } = openBlanker('Ana Ribeiro', 'ana-maria')
  const cases: Array<[value: string, blanked: string]> = [
    ['prejoin-join-button', 'prejoin-join-button'],
    ['callingButtons-showMoreBtn', 'callingButtons-showMoreBtn'],
    ['joinOnWeb', 'joinOnWeb'],
    ['roster-avatar-img-8f3a', 'roster-avatar-img-0000'],
    ['Ben Carter', 'xxx xxxxxx'],
    ['Benjamin', 'xxxxxxxx'],
    ['participant-ana-maria', 'participant-xxx-xxxxx'],
    ['spaces/abc/devices/12', 'xxxxxx/xxx/devices/00'],
  ]
  for (const [value, blanked] of cases) assert.equal(blankIdentifier(value), blanked)
})
