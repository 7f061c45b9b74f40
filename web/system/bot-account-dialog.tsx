import { FileInput, NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import type { WireAddedAccount } from '../../src/http/shapes/bot-accounts.ts'
import { useApi } from '../app-state.tsx'
import { PLATFORMS } from '../meetings/words.ts'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { Form, readText, useFieldProblem } from '../ui/form.tsx'
import { FormButtons } from '../ui/form-buttons.tsx'
import { useAction } from '../ui/use-action.ts'
import { useRefresh } from './queries.ts'

interface BotAccountDialogProps {
  onClose: () => void
  onAdded: (note: string) => void
}

/** Brings what a signed-in browser kept. To sign in anew takes a screen, and so the command line. */
export function BotAccountDialog({ onClose, onAdded }: BotAccountDialogProps) {
  const api = useApi()
  const refresh = useRefresh('bot-accounts')
  const [file, setFile] = useState<File | null>(null)
  const action = useAction(async (values: FormData) => {
    const name = readText(values, 'name').trim()
    const limit = readText(values, 'limit').trim()
    const added = await api.post<WireAddedAccount>('/web/system/bot-accounts', {
      name,
      platform: readText(values, 'platform'),
      state: (await file?.text()) ?? '',
      ...(limit && { limit: Number(limit) }),
    })
    await refresh()
    onAdded(noteOf(name, added))
    onClose()
  })
  return (
    <Dialog title="Add a bot account" onClose={onClose}>
      <Form action={action}>
        <Text size="sm">
          The file is a storage state of Playwright: the cookies of a browser in which the account
          is signed in. Only what belongs to the platform is kept, sealed.
        </Text>
        <TextField
          name="name"
          label="Name"
          description="An account that has this name already gets the new sign-in"
          maxLength={64}
          isFirst
        />
        <NativeSelect
          name="platform"
          label="Platform"
          data={(['google_meet', 'microsoft_teams'] as const).map((value) => ({
            value,
            label: PLATFORMS[value],
          }))}
        />
        <TextField
          name="limit"
          label="Bots at once"
          description="Empty: 1, or as it was"
          isOptional
        />
        <StateField file={file} onChange={setFile} />
        <FormButtons isRunning={action.isRunning} isDisabled={file === null} onCancel={onClose}>
          Add account
        </FormButtons>
      </Form>
    </Dialog>
  )
}

function StateField({
  file,
  onChange,
}: {
  file: File | null
  onChange: (file: File | null) => void
}) {
  return (
    <FileInput
      name="state"
      label="Storage state"
      placeholder="Choose a file"
      accept="application/json,.json"
      value={file}
      onChange={onChange}
      error={useFieldProblem('state')}
    />
  )
}

function noteOf(name: string, { isNew, isSignedIn }: WireAddedAccount): string {
  const done = `${isNew ? 'Added' : 'Renewed'} ${name}`
  return isSignedIn ? done : `${done}. No cookie of it looks like a sign-in: try it in a meeting`
}
