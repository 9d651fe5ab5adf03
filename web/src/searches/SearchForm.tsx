import '../styles/mantine-forms.css'
import '../styles/mantine-layout.css'
import { notices, savedSearches } from '@dubplate/contract'
import { changeSearch, FILL_LIMITS, saveSearch } from '@dubplate/contract/schemas/saved-searches'
import { Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { format, rich } from '../format/message.ts'
import { ErrorMessages } from '../membership/ErrorMessages.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { useResourceForm } from '../platform/useResourceForm.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Switch } from '../ui/Switch.tsx'
import { type SavedSearch, useNames } from './savedSearches.ts'
import { defaultName, type Query, queryChips } from './searchQuery.ts'
import * as texts from './texts.ts'

const DEFAULT_FILL_LIMIT = 20

type Props = { query: Query; saved: SavedSearch | undefined; onClose: () => void }

/** The name of a search to save or of a saved one, and whether new matches are emailed. */
export function SearchForm({ query, saved, onClose }: Props) {
  const names = useNames()
  // The state when the dialog opened: after saving, it is about to close.
  const [before] = useState(saved)
  const form = useResourceForm({
    call: before ? changeSearch : saveSearch,
    values: {
      name: before?.name ?? defaultName(query, names),
      by_email: before?.by_email ?? false,
      isFilling: before?.fill_limit != null,
      fill_limit: before?.fill_limit ?? DEFAULT_FILL_LIMIT,
    },
    toInput: ({ isFilling, fill_limit, ...values }) => ({
      ...(before ? { saved_search_id: before.saved_search_id } : { query }),
      ...values,
      fill_limit: isFilling ? fill_limit : null,
    }),
    invalidates: [savedSearches.getSearches],
    onSaved: onClose,
  })
  const { element } = form
  return (
    <Dialog title={before ? texts.editSavedSearch : texts.saveSearch} onClose={onClose}>
      <form ref={element} noValidate onSubmit={form.submit}>
        <Stack gap="lg">
          <Text c="var(--text-2)" style={{ overflowWrap: 'anywhere' }}>
            {queryChips(query, names).join(' · ')}
          </Text>
          <TextInput
            label={texts.name}
            data-autofocus
            maxLength={80}
            autoComplete="off"
            onFocus={({ currentTarget }) => currentTarget.select()}
            {...form.field('name')}
          />
          <Switch
            checked={form.values.by_email}
            onChange={(by_email) => form.setValues({ by_email })}
            note={<EmailDigestNote onNavigate={onClose} />}
          >
            {texts.emailMeAboutNewMusic}
          </Switch>
          <Switch
            checked={form.values.isFilling}
            onChange={(isFilling) => form.setValues({ isFilling })}
            note={texts.fillMyCrateNote}
          >
            {texts.fillMyCrate}
          </Switch>
          {form.values.isFilling && (
            <NativeSelect
              label={texts.songsEachWeek}
              data={FILL_LIMITS.map((limit) => ({
                value: String(limit),
                label: format(texts.upToSongs, { count: limit }),
              }))}
              value={String(form.values.fill_limit)}
              onChange={({ target }) => form.setValues({ fill_limit: Number(target.value) })}
            />
          )}
          <ErrorMessages messages={form.messages} />
          <Group gap="sm" justify="flex-end">
            <Button onClick={onClose}>{texts.cancel}</Button>
            <Button type="submit" variant="primary" busy={form.isBusy}>
              {texts.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** Explains that no emails are sent while search emails are turned off in the account. */
function EmailDigestNote({ onNavigate }: { onNavigate: () => void }) {
  const { data } = useApiQuery(notices.getChoices, {})
  if (data?.by_email.search !== false) return texts.savedSearchEmailFrequency
  return (
    <>
      {rich(texts.savedSearchEmailsTurnedOff, {
        link: (inside) => (
          <Link to="/account/notices" style={{ textDecoration: 'underline' }} onClick={onNavigate}>
            {inside}
          </Link>
        ),
      })}
    </>
  )
}
