import '../styles/mantine-layout.css'
import { savedSearches } from '@dubplate/contract'
import { Badge, Group, Skeleton, Stack, Text } from '@mantine/core'
import {
  IconAlertTriangle,
  IconBasketPlus,
  IconBookmark,
  IconDots,
  IconMail,
  IconMailOff,
  IconRss,
  IconSearch,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatExactDate } from '../format/format.ts'
import { format } from '../format/message.ts'
import { MembersOnly } from '../membership/MembersOnly.tsx'
import { ErrorState } from '../platform/ErrorState.tsx'
import { Page } from '../platform/Page.tsx'
import { useSession } from '../platform/session.ts'
import button from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { KeepFocus } from '../ui/KeepFocus.tsx'
import { Mantine } from '../ui/Mantine.tsx'
import css from './SavedSearches.module.css'
import { SavedSearchMenu } from './SavedSearchMenu.tsx'
import { SearchForm } from './SaveSearch.tsx'
import { type SavedSearch, useNames, useSavedSearchActions, useSavedSearches } from './savedSearches.ts'
import { queryChips, toSearchAddress } from './searchQuery.ts'
import * as texts from './texts.ts'

/** The saved searches of a member, with the number of new songs in each. */
export function SavedSearches() {
  const signedIn = useSession((session) => session.token !== null)
  if (signedIn) return <MemberContent />
  return (
    <Page title={texts.savedSearches}>
      <MembersOnly icon={<IconBookmark size={24} />}>{texts.signInToSaveSearches}</MembersOnly>
    </Page>
  )
}

function MemberContent() {
  const { searches, error, refetch } = useSavedSearches()
  const names = useNames()
  const note = searches && format(texts.ofSearches, { count: searches.length, max: savedSearches.MAX_SAVED_SEARCHES })
  return (
    <Mantine>
      <Page title={texts.savedSearches} note={note ?? ''}>
        {error && !searches && (
          <ErrorState error={error} title={texts.couldntLoadYourSavedSearches} retry={() => void refetch()} />
        )}
        {!error && !searches && <SavedSearchSkeleton />}
        {searches?.length === 0 && <NoSearches />}
        {searches && searches.length > 0 && (
          <KeepFocus>
            <Stack component="ul" gap={0} maw={960}>
              {searches.map((search) => (
                <SavedRow key={search.saved_search_id} search={search} chips={queryChips(search.query, names)} />
              ))}
            </Stack>
          </KeepFocus>
        )}
      </Page>
    </Mantine>
  )
}

/** A saved search; its name links to the results. */
function SavedRow({ search, chips }: { search: SavedSearch; chips: string[] }) {
  const { name, query, new_songs, seen_at, by_email, fill_limit, error_message } = search
  const { toggleEmail, copyFeed } = useSavedSearchActions(search)
  const [isEditing, setEditing] = useState(false)
  const { term, search: filters } = toSearchAddress(query)
  return (
    <li className={css.row}>
      <IconBookmark size={20} stroke={1.7} color="var(--text-3)" style={{ flex: 'none', marginTop: 2 }} aria-hidden />
      <Stack gap="sm" miw={0} flex={1}>
        <Group gap="sm" wrap="nowrap" mih={24}>
          <Text
            className={css.name}
            fz="lg"
            fw={600}
            truncate
            title={name}
            renderRoot={(props) => <Link to="/search/result/{-$term}" params={{ term }} search={filters} {...props} />}
          >
            {name}
          </Text>
          {new_songs > 0 && (
            <Badge
              className="num"
              flex="none"
              color="var(--accent)"
              c="var(--on-accent)"
              tt="none"
              fz="xs"
              title={format(texts.addedSince, { seen_at: formatExactDate(seen_at) })}
            >
              {/* The server counts up to 100, which means more than 99. */}
              {format(texts.newLabel, { count: new_songs > 99 ? '99+' : new_songs })}
            </Badge>
          )}
        </Group>
        <Group component="ul" gap={6} aria-label={format(texts.filtersIn, { name })}>
          {chips.map((chip, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a word may occur twice
            <li key={`${at} ${chip}`} className={css.chip} title={chip}>
              {chip}
            </li>
          ))}
        </Group>
        {fill_limit !== null && (
          <Text fz="sm" c="var(--text-2)">
            <IconBasketPlus size={16} style={{ verticalAlign: -3, marginRight: 8 }} aria-hidden />
            {format(texts.fillsYourCrate, { count: fill_limit })}
          </Text>
        )}
        {error_message && (
          <Text fz="sm" c="var(--warn)" style={{ overflowWrap: 'anywhere' }}>
            <IconAlertTriangle size={16} style={{ verticalAlign: -3, marginRight: 8 }} aria-hidden />
            {error_message}
          </Text>
        )}
      </Stack>
      <Group gap={2} wrap="nowrap">
        <IconButton
          label={format(texts.emailMeAboutNewMusicForSearch, { name })}
          aria-pressed={by_email}
          onClick={toggleEmail}
        >
          {by_email ? <IconMail size={18} /> : <IconMailOff size={18} />}
        </IconButton>
        <IconButton className={css.feed} label={format(texts.copyFeedUrlFor, { name })} onClick={copyFeed}>
          <IconRss size={18} />
        </IconButton>
        <SavedSearchMenu search={search} title={name} onEdit={() => setEditing(true)}>
          {(opener) => (
            <IconButton label={format(texts.moreOptionsFor, { name })} {...opener}>
              <IconDots size={18} />
            </IconButton>
          )}
        </SavedSearchMenu>
      </Group>
      {isEditing && <SearchForm query={query} saved={search} onClose={() => setEditing(false)} />}
    </li>
  )
}

const NoSearches = () => (
  <EmptyState
    icon={<IconBookmark size={24} />}
    title={texts.noSavedSearchesYet}
    action={
      <Link to="/search/result/{-$term}" params={{ term: undefined }} className={button.button} data-look="primary">
        <IconSearch size={16} aria-hidden />
        {texts.search}
      </Link>
    }
  >
    {texts.searchForMusicAndChoose}
  </EmptyState>
)

const SavedSearchSkeleton = () => (
  <Stack component="ul" gap={0} maw={960} aria-busy aria-label={texts.loadingSavedSearches}>
    {[...Array(4).keys()].map((n) => (
      <li key={n} className={css.row} aria-hidden>
        <Stack gap="sm" flex={1}>
          <Skeleton height={20} width="46%" />
          <Skeleton height={20} />
        </Stack>
      </li>
    ))}
  </Stack>
)
