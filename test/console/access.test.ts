import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { startAccessWorld, type AccessWorld } from '../support/access/access-world.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import {
  assertFitsPhone,
  openConsoleAs,
  openPageAndSettle,
  visitPage,
} from '../support/browser/console-pages.ts'
import { chooseOption, pressOn, typeInto } from '../support/browser/keyboard.ts'
import { openIsolatedWindow, type IsolatedWindow } from '../support/browser/open-browser.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { openForFile } from '../support/open-for-file.ts'

const toPerson = ({ userId, session }: Awaited<ReturnType<AccessWorld['addUser']>>) => ({
  userId,
  cookie: session['cookie'] ?? '',
})
/** One window for each person. The tests open pages of their own projects. */
const opened = openForFile(async () => {
  await using stack = new AsyncDisposableStack()
  const world = stack.use(await startAccessWorld())
  const admin = toPerson(await world.addUser('admin'))
  const member = toPerson(await world.addUser())
  const browser = await openSharedBrowser()
  const openAs = async (cookie: string) =>
    stack.use(await openConsoleAs(browser, { url: world.url, cookie }))
  const windows = {
    adminWindow: await openAs(admin.cookie),
    memberWindow: await openAs(member.cookie),
    guestWindow: stack.use(await openIsolatedWindow(browser, world.url)),
  }
  const moved = stack.move()
  const dispose = () => moved.disposeAsync()
  return { world, admin, member, ...windows, [Symbol.asyncDispose]: dispose }
})

test('an owner makes a project private, sees which links end, and adds and removes members', async () => {
  const { world, admin, member, adminWindow } = opened()
  const { meeting } = await world.plant('board', 'harbour')
  const { page } = adminWindow
  await visitPage(page, `${world.url}/meetings/${meeting}`)
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  await page.getByLabel('New link').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()

  await visitPage(page, `${world.url}/projects/board`)
  await page.getByText('Everyone who can sign in can read and change this project.').waitFor()
  await page.getByRole('button', { name: 'Manage access' }).click()
  const dialog = page.getByRole('dialog', { name: 'Access to board' })
  await dialog.getByRole('button', { name: 'Make private' }).click()
  await dialog.getByText('1 share link will stop working.').waitFor()
  await dialog.getByRole('button', { name: 'Yes, make private' }).click()
  await dialog.getByText('This project is now private. 1 share link stopped working.').waitFor()
  await dialog.getByLabel(`Role of ${admin.userId}`).waitFor()

  await dialog.getByLabel('Add a person').fill(`${member.userId.toLowerCase()}@example.com`)
  await dialog.getByLabel('Role', { exact: true }).selectOption('editor')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  const role = dialog.getByLabel(`Role of ${member.userId}`)
  await role.waitFor()
  assert.equal(await role.inputValue(), 'editor')
  await assertAccessible(page, 'access-dialog')
  await assertFitsPhone(page, 'access-dialog')
  await dialog.getByRole('button', { name: `Remove ${admin.userId}` }).click()
  await dialog.getByText('you will no longer see it').waitFor()
  await dialog.getByRole('button', { name: 'Remove myself' }).click()
  await dialog.getByText('A private project needs an owner').waitFor()
  await role.selectOption('reader')
  await dialog.getByRole('button', { name: `Save the role of ${member.userId}` }).click()
  await dialog.getByRole('button', { name: `Save the role of ${member.userId}` }).waitFor({
    state: 'detached',
  })
  await dialog.getByRole('button', { name: `Remove ${member.userId}` }).click()
  await dialog.getByRole('button', { name: 'Remove member' }).click()
  await role.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  // The ended link stays in the project's list.
  await page.getByText('Ended: the project was made private').waitFor()
  await assertAccessible(page, 'project-shares')
  await assertFitsPhone(page, 'project-shares')
  assert.deepEqual(adminWindow.pageErrors, [])
})

test('a meeting is moved to another project after its page says who will read it and which links end', async () => {
  const { world, admin, adminWindow } = opened()
  const { meeting } = await world.plant('moves-from', 'ferry')
  await world.plant('moves-to', 'pier')
  await world.setAccess('moves-to', 'private')
  await world.addMember('moves-to', admin.userId, 'owner')
  const { page } = adminWindow
  await visitPage(page, `${world.url}/meetings/${meeting}`)
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Move to a project…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move to another project' })
  await dialog.getByText('1 share link will stop working.').waitFor()
  await dialog.getByLabel('New project').fill('moves-to')
  await dialog.getByText('Only you will be able to read the meeting').waitFor()
  await assertAccessible(page, 'move-meeting')
  await assertFitsPhone(page, 'move-meeting')
  await dialog.getByRole('button', { name: 'Move' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('project moves-to').waitFor()
  assert.deepEqual(adminWindow.pageErrors, [])
})

test('a reader of a private project is not offered to rename, move or delete its meetings, or to change action items', async () => {
  const { world, admin, member, adminWindow, memberWindow } = opened()
  const { meeting } = await world.plant('archive', 'lighthouse')
  await world.setAccess('archive', 'private')
  await world.addMember('archive', admin.userId, 'owner')
  await world.addMember('archive', member.userId, 'reader')
  const readOffers = async (window: IsolatedWindow, rights: { canEdit: boolean }) => {
    const { page } = window
    await visitPage(page, `${world.url}/meetings/${meeting}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'History' }).waitFor()
    const items = await page.getByRole('menuitem').allTextContents()
    await page.keyboard.press('Escape')
    const renamable = await page.locator('.speaker-button').count()
    await visitPage(page, `${world.url}/actions`)
    const item = page.getByRole('listitem').filter({ hasText: 'lighthouse' })
    // The rights are read after the items.
    await item.getByRole('checkbox', { disabled: !rights.canEdit }).waitFor()
    const actionMenus = await item.getByRole('button', { name: /^Edit or delete/ }).count()
    assert.deepEqual(window.pageErrors, [])
    return { items, renamable, actionMenus }
  }
  assert.deepEqual(await readOffers(memberWindow, { canEdit: false }), {
    items: ['History'],
    renamable: 0,
    actionMenus: 0,
  })
  const { items, actionMenus } = await readOffers(adminWindow, { canEdit: true })
  assert.deepEqual(items.slice(-3), ['Move to a project…', 'History', 'Delete…'])
  assert.equal(actionMenus, 1)
})

test('the form for a new meeting says who will be able to read it', async () => {
  const { world, admin, member, memberWindow } = opened()
  await world.plant('council', 'lantern')
  await world.setAccess('council', 'private')
  await world.addMember('council', admin.userId, 'owner')
  await world.addMember('council', member.userId, 'editor')
  const { page } = memberWindow
  await visitPage(page, `${world.url}/meetings`)
  const team = 'Everyone who can sign in will be able to read the meeting.'
  await page.getByText(team).waitFor()
  await page.getByRole('button', { name: 'More options' }).click()
  const form = page.getByRole('region', { name: 'Start a meeting' })
  await form.getByLabel('Project', { exact: true }).fill('council')
  const names = `Only the members of the project will be able to read the meeting: you and ${admin.userId}.`
  await page.getByText(names).waitFor()
  await assertAccessible(page, 'start-private-meeting')
  await form.getByLabel('Project', { exact: true }).fill('new-one')
  await page.getByText(team).waitFor()
  assert.deepEqual(memberWindow.pageErrors, [])
})

test('an admin sees names of private projects, adds themselves, and is told once that projects can be private', async () => {
  const { world, admin, member, adminWindow, memberWindow } = opened()
  await world.plant('secret', 'quartz')
  await world.setAccess('secret', 'private')
  await world.addMember('secret', member.userId, 'owner')
  await world.db
    .updateTable('app_user')
    .set({ has_access_notice: true })
    .where('id', '=', admin.userId)
    .execute()
  const { page } = adminWindow
  await openPageAndSettle(page, `${world.url}/`)
  const notice = page.getByText('Projects can now be private')
  await notice.waitFor()
  await assertAccessible(page, 'access-notice')
  await page.getByRole('link', { name: 'See all projects' }).click()
  const row = page.getByRole('row', { name: /secret/ })
  await row.getByText('Private').waitFor()
  await row.getByText(member.userId).waitFor()
  await assertAccessible(page, 'system-projects')
  await assertFitsPhone(page, 'system-projects')
  await row.getByRole('button', { name: 'Add me to secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add me' }).click()
  await row.getByRole('link', { name: 'secret' }).click()
  await page.getByText('Only its 2 members can see it').waitFor()
  await visitPage(memberWindow.page, `${world.url}/projects/secret`)
  await memberWindow.page.getByRole('button', { name: 'Manage access' }).click()
  const entries = memberWindow.page.getByRole('list', {
    name: 'Administrators who added themselves',
  })
  await entries.getByText(admin.userId).waitFor()
  await assertAccessible(memberWindow.page, 'admin-entries')

  await openPageAndSettle(page, `${world.url}/`)
  await notice.waitFor()
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
  await notice.waitFor({ state: 'detached' })
  await openPageAndSettle(page, `${world.url}/`)
  assert.equal(await notice.count(), 0)
  assert.deepEqual(adminWindow.pageErrors, [])
})

test('removing the only owner of a private project asks for a new owner', async () => {
  const { world, admin, member, adminWindow } = opened()
  const leaver = await world.addUser()
  await world.plant('vault', 'granite')
  await world.setAccess('vault', 'private')
  await world.addMember('vault', leaver.userId, 'owner')
  const { page } = adminWindow
  await visitPage(page, `${world.url}/system?tab=people`)
  await page.getByRole('button', { name: `Remove ${leaver.userId}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Remove person' }).click()
  const newOwner = dialog.getByLabel('New owner of their private projects')
  await newOwner.selectOption(member.userId)
  await assertAccessible(page, 'removing the only owner')
  await dialog.getByRole('button', { name: 'Remove person' }).click()
  await dialog.waitFor({ state: 'detached' })
  const owners = await world.db
    .selectFrom('project_member')
    .select(['user_id', 'role'])
    .where('project', '=', 'vault')
    .execute()
  assert.deepEqual(owners, [{ user_id: member.userId, role: 'owner' }])
  const audited = await world.db
    .selectFrom('audit')
    .select(['actor', 'action', 'detail'])
    .where('object', '=', 'vault')
    .execute()
  const detail = `${member.userId.toLowerCase()}@example.com: owner`
  const expected = { actor: `user:${admin.userId}`, action: 'project member added', detail }
  assert.deepEqual(audited, [expected])
  assert.deepEqual(adminWindow.pageErrors, [])
})

test('an admin creates a service token for one project', async () => {
  const { world, adminWindow } = opened()
  const { page } = adminWindow
  await visitPage(page, `${world.url}/account?tab=tokens`)
  await page.getByRole('button', { name: 'New token' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Token name').fill('nightly')
  await dialog.getByRole('radio', { name: /^Service:/ }).check()
  await dialog.getByRole('textbox', { name: 'Projects' }).fill('board, ')
  await assertAccessible(page, 'new service token')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await dialog.getByLabel('I have stored both').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('row', { name: /nightly/ })
  await row.getByText('Service').waitFor()
  await row.getByText('only board').waitFor()
  assert.deepEqual(adminWindow.pageErrors, [])
})

test('by keyboard, an owner shares a meeting by a link with a password; a stranger reads it, and the link is revoked', async () => {
  const { world, adminWindow, guestWindow } = opened()
  const { meeting } = await world.plant('shared', 'anchor')
  const { page } = adminWindow
  await visitPage(page, `${world.url}/meetings/${meeting}`)
  const share = page.getByRole('button', { name: 'Share', exact: true })
  await pressOn(share)
  const dialog = page.getByRole('dialog', { name: 'Share by link' })
  await dialog.getByText('No links yet.').waitFor()
  await chooseOption(dialog.getByLabel('Expires'), 'In 7 days')
  await typeInto(dialog.getByLabel('Password'), 'three unrelated words')
  await pressOn(dialog.getByRole('button', { name: 'Create link' }))
  const link = dialog.getByLabel('New link')
  await link.and(page.locator(':focus')).waitFor()
  const url = await link.inputValue()
  await dialog.getByText('Active · with password').waitFor()
  await assertFitsPhone(page, 'share-dialog')

  const { page: stranger } = guestWindow
  await stranger.goto(url)
  await assertAccessible(stranger, 'shared-password')
  await stranger.getByLabel('Password').fill('a wrong password')
  await stranger.getByRole('button', { name: 'Open' }).click()
  await stranger.getByRole('alert').getByText('not the password').waitFor()
  await stranger.getByLabel('Password').fill('three unrelated words')
  await stranger.getByRole('button', { name: 'Open' }).click()
  await stranger.getByRole('heading', { name: 'About anchor', level: 1 }).waitFor()
  await stranger.getByText('We talked about anchor today').waitFor()
  await stranger.getByText('It was about anchor').waitFor()
  await assertFitsPhone(stranger, 'shared-meeting')
  assert.deepEqual(await guestWindow.context.cookies(), [])

  await pressOn(dialog.getByRole('button', { name: 'Revoke' }))
  await pressOn(dialog.getByRole('button', { name: 'Revoke link' }))
  await dialog.getByText('Revoked · with password').waitFor()
  await dialog.getByText('opened 1 time').waitFor()
  assert.equal((await stranger.goto(url))?.status(), 404)
  await stranger.getByRole('heading', { name: 'This link does not work' }).waitFor()
  await page.keyboard.press('Escape')
  await share.and(page.locator(':focus')).waitFor()
  assert.deepEqual(guestWindow.blockedRequests, [])
  assert.deepEqual(adminWindow.pageErrors, [])
})

test('an owner shares a document from its page', async () => {
  const { world, adminWindow, guestWindow } = opened()
  await world.plant('shared', 'compass')
  const { page } = adminWindow
  await visitPage(page, `${world.url}/projects/shared/notes/compass.md`)
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share by link' })
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const url = await dialog.getByLabel('New link').inputValue()
  const { page: stranger } = guestWindow
  await stranger.goto(url)
  await stranger.getByText('A note about compass here').waitFor()
  await assertAccessible(stranger, 'shared-document')
  assert.deepEqual(guestWindow.blockedRequests, [])
  assert.deepEqual(guestWindow.pageErrors, [])
  assert.deepEqual(adminWindow.pageErrors, [])
})
