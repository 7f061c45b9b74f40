import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { GET_STARTED_STEPS, HIDDEN_LIST_KEY } from '../../src/http/shapes/values.ts'
import { ErrorBox } from '../ui/feedback/error-box.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { SectionHeader } from '../ui/layout/section-header.tsx'
import { TextLink } from '../ui/links.tsx'
import { useChangeMark, useMarks } from './use-marks.ts'

/** Brings back the list of first steps after the user has hidden it. */
export function GetStartedSection() {
  const marks = useMarks()
  const change = useChangeMark()
  // Otherwise the section would disappear on the click, without a confirmation.
  const [wasShown, setShown] = useState(false)
  const show = useAction(() => {
    setShown(true)
    return change('get_started', HIDDEN_LIST_KEY, false)
  })
  if (!marks.isLoaded) return null
  const isComplete = GET_STARTED_STEPS.every((step) => marks.has('get_started', step))
  const isHidden = marks.has('get_started', HIDDEN_LIST_KEY)
  if (isComplete || (!isHidden && !wasShown)) return null
  return (
    <>
      <SectionHeader title="Get started" description="You have hidden the list of first steps." />
      <div role="status">
        {!isHidden && (
          <Text size="sm">
            The list is on your <TextLink to="/">home page</TextLink> again.
          </Text>
        )}
      </div>
      {isHidden && (
        <Button
          variant="default"
          loading={show.isRunning}
          onClick={() => void show.run()}
          style={{ alignSelf: 'flex-start' }}
        >
          Show the list again
        </Button>
      )}
      {show.error ? <ErrorBox error={show.error} /> : null}
    </>
  )
}
