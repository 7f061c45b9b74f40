import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findProjectRights } from './project-rights.ts'

const me = { id: 'u1', role: 'member' }
const member = (role: 'reader' | 'editor' | 'owner') => ({
  userId: 'u1',
  name: 'Ada',
  email: 'ada@example.com',
  role,
  groupRole: null,
  addedBy: null,
  addedAt: '2026-11-17T09:00:00.000Z',
})
const rightsIn = (access: 'team' | 'private', ...members: ReturnType<typeof member>[]) =>
  findProjectRights({ access, members }, me)

test('everyone edits a team project, and only its owners and admins manage it', () => {
  const editor = { canEdit: true, canManage: false, canMoveOut: true }
  assert.deepEqual(rightsIn('team'), editor)
  assert.deepEqual(rightsIn('team', member('reader')), editor)
  assert.deepEqual(rightsIn('team', member('owner')), { ...editor, canManage: true })
  const admin = findProjectRights({ access: 'team', members: [] }, { id: 'u1', role: 'admin' })
  assert.deepEqual(admin, { ...editor, canManage: true })
})

test('in a private project the own role decides, also for admins', () => {
  const none = { canEdit: false, canManage: false, canMoveOut: false }
  assert.deepEqual(rightsIn('private', member('reader')), none)
  assert.deepEqual(rightsIn('private', member('editor')), { ...none, canEdit: true })
  const all = { canEdit: true, canManage: true, canMoveOut: true }
  assert.deepEqual(rightsIn('private', member('owner')), all)
  const admin = findProjectRights({ access: 'private', members: [] }, { id: 'u1', role: 'admin' })
  assert.deepEqual(admin, none)
})
