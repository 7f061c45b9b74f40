import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { groupActions } from './group-actions.ts'

const item = (
  text: string,
  project: string,
  owner: string | null = null,
  dueDate: string | null = null,
) => ({ text, project, owner, dueDate })
const TODAY = '2026-11-19'
const ITEMS = [
  item('a', 'web', 'Ben', '2026-11-10'),
  item('b', 'api', 'Ada', '2026-11-16'),
  item('c', 'web', null, '2026-11-22'),
  item('d', 'api', 'Ben'),
]

function titlesAndTexts(grouping: 'project' | 'person' | 'week') {
  return groupActions(ITEMS, grouping, TODAY).map(({ title, actions }) => [
    title,
    actions.map(({ text }) => text).join(' '),
  ])
}

test('items are grouped by project, person or week of the due date, those without one last', () => {
  assert.deepEqual(titlesAndTexts('project'), [
    ['api', 'b d'],
    ['web', 'a c'],
  ])
  assert.deepEqual(titlesAndTexts('person'), [
    ['Ada', 'b'],
    ['Ben', 'a d'],
    ['No owner', 'c'],
  ])
  assert.deepEqual(titlesAndTexts('week'), [
    ['Last week', 'a'],
    ['This week', 'b c'],
    ['No due date', 'd'],
  ])
})
