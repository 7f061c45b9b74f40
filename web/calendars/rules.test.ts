import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { describeRules, fromRuleFields, suggestCalendarName, toRuleFields } from './rules.ts'

const NO_RULES = {
  onlyOrganised: false,
  onlyInvited: null,
  onlyTitles: [],
  neverTitles: [],
  onlyAccepted: false,
  neverPrivate: false,
}

test('rules are the same after they were in the form', () => {
  for (const rules of [
    NO_RULES,
    { ...NO_RULES, onlyAccepted: true, onlyTitles: ['weekly, sync', 'Review'] },
    { ...NO_RULES, neverPrivate: true },
    { ...NO_RULES, onlyOrganised: true, neverTitles: ['1:1'], onlyInvited: 'notes@example.com' },
  ]) {
    assert.deepEqual(fromRuleFields(toRuleFields(rules)), rules)
  }
})

test('empty lines and spaces around a text are no rule', () => {
  const rules = fromRuleFields({
    invitations: 'all',
    onlyTitles: '  \n weekly \r\n\n',
    neverTitles: '',
    onlyInvited: '  ',
    neverPrivate: false,
  })
  assert.deepEqual(rules, { ...NO_RULES, onlyTitles: ['weekly'] })
})

test('rules are described in sentences', () => {
  assert.equal(describeRules(NO_RULES), 'All meetings with a link, except those you declined.')
  assert.equal(
    describeRules({
      onlyOrganised: true,
      onlyAccepted: true,
      onlyInvited: 'notes@example.com',
      onlyTitles: ['weekly'],
      neverTitles: ['1:1', 'private', 'lunch'],
      neverPrivate: true,
    }),
    'Only meetings you organise. Only if notes@example.com is invited. Only titles with “weekly”. No private meetings. Never titles with “1:1”, “private” or “lunch”.',
  )
})

test('a calendar is named after its service or its host', () => {
  const google = 'https://calendar.google.com/calendar/ical/x/private-1/basic.ics'
  assert.equal(suggestCalendarName(google), 'Google Calendar')
  assert.equal(suggestCalendarName('https://outlook.office365.com/owa/x.ics'), 'Outlook')
  assert.equal(suggestCalendarName('https://notgoogle.com/x.ics'), 'notgoogle.com')
  assert.equal(suggestCalendarName('webcal://cloud.example.org/x'), 'cloud.example.org')
  assert.equal(suggestCalendarName('nothing'), 'My calendar')
})
