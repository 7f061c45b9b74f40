import { FileInput, NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import type { WireAddedBotAccount } from '../../src/http/shapes/bot-accounts.ts'
import { useApi } from '../api/app-state.tsx'
import { PLATFORM_LABELS } from '../meetings/meeting-labels.ts'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Form, readFormText, useFieldError } from '../ui/forms/form.tsx'
import { FormButtons } from '../ui/forms/form-buttons.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { useRefreshSystem } from './queries.ts'

interface BotAccountDialogProps {
  onClose: () => void
  onAdded: (note: string) => void
}

/** Brings what a signed-in browser kept. To sign in anew takes a screen, and so the command line. */
export function BotAccountDialog({ onClose, onAdded }: BotAccountDialogProps) {
  const api = useApi()
  const refresh = useRefreshSystem('bot-accounts')
  const [file, setFile] = useState<File | null>(null)
  const action = useAction(async (values: FormData) => {
    const name = readFormText(values, 'name').trim()
    const limit = readFormText(values, 'limit').trim()
    const added = await api.post<WireAddedBotAccount>('/web/system/bot-accounts', {
      name,
      platform: readFormText(values, 'platform'),
      state: (await file?.text()) ?? '',
      ...(limit && { limit: Number(limit) }),
    })
    await refresh()
    onAdded(addedMessage(name, added))
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
            label: PLATFORM_LABELS[value],
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
      error={useFieldError('state')}
    />
  )
}

function addedMessage(name: string, { isNew, isSignedIn }: WireAddedBotAccount): string {
  const done = `${isNew ? 'Added' : 'Renewed'} ${name}`
  return isSignedIn ? done : `${done}. No cookie of it looks like a sign-in: try it in a meeting`
}
