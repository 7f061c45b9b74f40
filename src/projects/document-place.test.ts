import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { decidePlace, type PlaceDecision, type PlaceFacts } from './document-place.ts'

const FACTS: PlaceFacts = {
  setting: 'folder',
  recorded: 'folder',
  isSameFolder: false,
  hasOtherNodes: false,
  hasDocuments: false,
}

const CASES: ReadonlyArray<[title: string, facts: Partial<PlaceFacts>, PlaceDecision]> = [
  ['a node uses the folder that is recorded', { isSameFolder: true, hasOtherNodes: true }, 'use'],
  [
    'a node with another folder than live nodes does not start',
    { hasOtherNodes: true },
    'not_shared',
  ],
  ['the only node may have another folder', { hasDocuments: true }, 'record'],
  [
    'nodes with documents in the database need no common folder',
    { setting: 'database', recorded: 'database', hasOtherNodes: true, hasDocuments: true },
    'use',
  ],
  ['an empty instance changes its place', { setting: 'database' }, 'record'],
  ['an empty instance changes its place back', { recorded: 'database' }, 'record'],
  [
    'documents have to be moved first',
    { setting: 'database', isSameFolder: true, hasDocuments: true },
    'move_first',
  ],
  [
    'documents have to be moved back first',
    { recorded: 'database', hasDocuments: true },
    'move_first',
  ],
  [
    'a node with another setting than live nodes does not start',
    { setting: 'database', hasOtherNodes: true },
    'other_nodes_differ',
  ],
  [
    'live nodes with documents in the database keep out one with a folder',
    { recorded: 'database', hasOtherNodes: true, hasDocuments: true },
    'other_nodes_differ',
  ],
]

for (const [title, facts, decision] of CASES)
  test(title, () => assert.equal(decidePlace({ ...FACTS, ...facts }), decision))
