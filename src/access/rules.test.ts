import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { ApiTokenKind } from '../accounts/roles.ts'
import {
  ALLOWED_RELATIONS,
  decideProjectAccess,
  decideTokenAccess,
  findPromptRefusal,
  findRelation,
  type MemberRole,
  type ProjectAccess,
  type Relation,
} from './rules.ts'
import { INSTANCE_VIEWER, type Viewer } from './viewer.ts'

const MEMBER: Viewer = { kind: 'user', userId: 'u1', role: 'member', projects: null }
const ADMIN: Viewer = { kind: 'user', userId: 'u2', role: 'admin', projects: null }

const CASES: Array<[Viewer, ProjectAccess, MemberRole | null, Relation]> = [
  [INSTANCE_VIEWER, 'team', null, 'owner'],
  [INSTANCE_VIEWER, 'private', null, 'owner'],
  [{ kind: 'service', projects: ['other'] }, 'team', null, 'none'],
  [{ kind: 'service', projects: ['p'] }, 'private', null, 'owner'],
  [{ kind: 'service', projects: null, isTeamOnly: true }, 'team', null, 'editor'],
  [{ kind: 'service', projects: null, isTeamOnly: true }, 'private', null, 'none'],
  [{ kind: 'service', projects: ['other'], isTeamOnly: true }, 'team', null, 'none'],
  [MEMBER, 'team', null, 'editor'],
  [MEMBER, 'team', 'reader', 'editor'],
  [MEMBER, 'team', 'owner', 'owner'],
  [MEMBER, 'private', null, 'none'],
  [MEMBER, 'private', 'reader', 'reader'],
  [MEMBER, 'private', 'editor', 'editor'],
  [MEMBER, 'private', 'owner', 'owner'],
  [{ ...MEMBER, projects: ['other'] }, 'team', 'owner', 'none'],
  [{ ...MEMBER, projects: ['p'] }, 'private', null, 'none'],
  [{ ...MEMBER, projects: ['p'] }, 'private', 'editor', 'editor'],
  [ADMIN, 'team', null, 'owner'],
  [ADMIN, 'private', null, 'none'],
  [ADMIN, 'private', 'reader', 'reader'],
  [{ kind: 'task', ownerId: 'u1', project: null, projects: null }, 'team', null, 'editor'],
  [{ kind: 'task', ownerId: 'u1', project: null, projects: null }, 'private', 'owner', 'none'],
  [{ kind: 'task', ownerId: 'u1', project: 'other', projects: null }, 'private', 'owner', 'none'],
  [{ kind: 'task', ownerId: 'u1', project: 'p', projects: null }, 'private', 'editor', 'editor'],
  [{ kind: 'task', ownerId: 'u1', project: 'p', projects: null }, 'private', null, 'none'],
  [{ kind: 'task', ownerId: null, project: 'p', projects: null }, 'private', null, 'editor'],
  [{ kind: 'task', ownerId: null, project: 'other', projects: ['other'] }, 'team', null, 'none'],
  [{ kind: 'task', ownerId: 'u1', project: 'p', projects: ['p'] }, 'private', 'editor', 'editor'],
]

test('the relation of a viewer to a project follows its access, its members and the role of the user', () => {
  for (const [viewer, access, memberRole, expected] of CASES) {
    const facts = { project: 'p', access, memberRole }
    assert.equal(findRelation(viewer, facts), expected, JSON.stringify({ viewer, ...facts }))
  }
})

test('a viewer without a relation sees nothing, and one who may only read is refused to change', () => {
  const inPrivate = (memberRole: MemberRole | null) => ({
    project: 'p',
    access: 'private' as const,
    memberRole,
  })
  assert.equal(decideProjectAccess(MEMBER, 'edit', inPrivate(null)), 'hidden')
  assert.equal(decideProjectAccess(MEMBER, 'edit', inPrivate('reader')), 'forbidden')
  assert.equal(decideProjectAccess(MEMBER, 'manage', inPrivate('editor')), 'forbidden')
  assert.equal(decideProjectAccess(MEMBER, 'manage', inPrivate('owner')), 'allowed')
  const scoped = { ...MEMBER, isScoped: true }
  assert.equal(decideProjectAccess(scoped, 'edit', inPrivate('owner')), 'allowed')
  assert.equal(decideProjectAccess(scoped, 'manage', inPrivate('owner')), 'scoped_key')
  assert.equal(decideProjectAccess(scoped, 'manage', inPrivate('editor')), 'forbidden')
})

test('a role that may manage may edit, and a role that may edit may read', () => {
  const { read, edit, manage } = ALLOWED_RELATIONS
  assert.ok(manage.every((role) => edit.includes(role)))
  assert.ok(edit.every((role) => read.includes(role)))
})

test('a personal token is hidden from everyone but its creator and admins, a service token from all but admins', () => {
  const kind = 'personal'
  assert.equal(decideTokenAccess(MEMBER, { creatorId: 'u1', kind }, 'manage'), 'allowed')
  assert.equal(decideTokenAccess(MEMBER, { creatorId: 'u9', kind }, 'manage'), 'hidden')
  assert.equal(decideTokenAccess(MEMBER, { creatorId: null, kind }, 'manage'), 'hidden')
  assert.equal(decideTokenAccess(ADMIN, { creatorId: 'u9', kind }, 'manage'), 'allowed')
  assert.equal(decideTokenAccess(MEMBER, { creatorId: 'u1', kind: 'service' }, 'manage'), 'hidden')
  assert.equal(decideTokenAccess(ADMIN, { creatorId: 'u9', kind: 'service' }, 'manage'), 'allowed')
})

test('a person may sign callbacks with their own token, and an admin may also use a service token', () => {
  const decide = (viewer: Viewer, creatorId: string | null, kind: ApiTokenKind) =>
    decideTokenAccess(viewer, { creatorId, kind }, 'edit')
  assert.equal(decide(MEMBER, 'u1', 'personal'), 'allowed')
  assert.equal(decide(ADMIN, 'u9', 'personal'), 'hidden')
  assert.equal(decide(ADMIN, 'u9', 'service'), 'allowed')
  assert.equal(decide(MEMBER, 'u1', 'service'), 'hidden')
})

test('members change only prompts that they wrote and that run for nobody else; built-in ones stay', () => {
  const own = { isBuiltIn: false, authorId: 'u1', isUsedByOthers: false }
  assert.equal(findPromptRefusal(MEMBER, own), null)
  assert.equal(findPromptRefusal(MEMBER, { ...own, isUsedByOthers: true }), 'used_by_others')
  for (const authorId of ['u3', null])
    assert.equal(findPromptRefusal(MEMBER, { ...own, authorId }), 'not_author')
  assert.equal(findPromptRefusal(ADMIN, { ...own, isUsedByOthers: true }), null)
  for (const viewer of [MEMBER, ADMIN])
    assert.equal(findPromptRefusal(viewer, { ...own, isBuiltIn: true }), 'built_in')
})
