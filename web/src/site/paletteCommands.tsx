import { playlists } from '@dubplate/contract'
import {
  IconArrowsShuffle,
  IconBasketDown,
  IconHeadphones,
  IconKeyboard,
  IconLink,
  IconLogin2,
  IconLogout,
  IconMusic,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerTrackNext,
  IconPlayerTrackPrev,
  IconPlaylist,
  IconPlaylistX,
  IconRepeatOnce,
  IconSearch,
  IconSunMoon,
  IconUpload,
} from '@tabler/icons-react'
import { type LinkProps, useNavigate } from '@tanstack/react-router'
import { isLongEnough } from '../catalogue/searchAddress.ts'
import { hitsOf, sortByCloseness } from '../catalogue/searchHits.ts'
import { copySongLink } from '../catalogue/songLink.ts'
import { sameSection } from '../catalogue/useSection.ts'
import type { Suggested } from '../catalogue/useSuggested.ts'
import { downloadCrate } from '../downloads/crateZips.ts'
import { format } from '../format/message.ts'
import { usePlaylistSearch } from '../library/usePlaylistSearch.ts'
import { openDialog } from '../platform/address.ts'
import { useIsSectionVisible } from '../platform/pool.ts'
import { chooseNotation, chooseScheme, NOTATIONS, type Notation, usePreferences } from '../platform/preferences.ts'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { currentEntry, playerActions, usePlayer } from '../player/store.ts'
import type { Command } from '../ui/CommandPalette.tsx'
import { matchesOf } from '../ui/paletteMatches.ts'
import { useDebouncedValue } from '../ui/useDebouncedValue.ts'
import { rememberSearch } from './recentSearches.ts'
import { GROUPS, TABS } from './sections.ts'
import * as texts from './texts.ts'

const NOTATION_NAMES: Record<Notation, string> = {
  camelot: texts.camelot8a,
  musical: texts.musicalAm,
  open: texts.openKey1m,
}

const LISTED_SECTIONS = GROUPS.flatMap(({ sections }) => sections)

/**
 * The sections of the navigation, and those tabs of the phone that it does not contain (the search); the tabs use
 * shorter names.
 */
const SECTIONS = [...LISTED_SECTIONS, ...TABS.filter(({ to }) => LISTED_SECTIONS.every((listed) => listed.to !== to))]

/** Every screen of the navigation. */
export function useScreenCommands(): Command[] {
  const navigate = useNavigate()
  const isShown = useIsSectionVisible()
  return SECTIONS.filter(({ to }) => isShown(to)).map(({ to, text, icon }) => ({
    id: `screen ${to}`,
    name: text,
    icon,
    run: () => void navigate({ to: to as LinkProps['to'] }),
  }))
}

const MAX_PLAYLISTS = 6

/** Playlists with these words, the closest names first; for an empty text, the first ones of the member and the pool. */
export function usePlaylistCommands(words: string): Command[] {
  const navigate = useNavigate()
  const enabled = useSession((session) => session.token !== null)
  const { data } = useApiQuery(playlists.getPlaylists, {}, { enabled })
  const { found } = usePlaylistSearch(useDebouncedValue(words), MAX_PLAYLISTS)
  const toCommand = ({ playlist_id, title, song_count }: playlists.Playlist) => ({
    id: `playlist ${playlist_id}`,
    name: title,
    keywords: texts.keywordsPlaylist,
    icon: IconPlaylist,
    note: format(texts.songCount, { count: song_count }),
    run: () => void navigate({ to: '/playlist/$playlistId', params: { playlistId: playlist_id } }),
  })
  const first = [...(data?.playlists ?? []), ...(data?.public_playlists ?? [])].map(toCommand)
  if (!words) return first
  // Those that are loaded are found at once.
  const byId = new Map([...matchesOf(first, words), ...found.map(toCommand)].map((command) => [command.id, command]))
  return sortByCloseness([...byId.values()], words).slice(0, MAX_PLAYLISTS)
}

/** The actions available on every screen; only those that would do something now. */
export function useActionCommands(): Command[] {
  return [...usePlayerCommands(), ...useSiteCommands()]
}

function usePlayerCommands(): Command[] {
  const { playing, shuffle, repeatOne } = usePlayer()
  const entry = usePlayer(currentEntry)
  const playingCommands: Command[] = entry
    ? [
        {
          id: 'play',
          name: playing ? texts.pause : texts.play,
          icon: playing ? IconPlayerPause : IconPlayerPlay,
          note: entry.song.title,
          shortcut: texts.space,
          run: playerActions.toggle,
        },
        { id: 'next', name: texts.nextSong, icon: IconPlayerTrackNext, shortcut: 'N', run: playerActions.next },
        {
          id: 'previous',
          name: texts.previousSong,
          icon: IconPlayerTrackPrev,
          shortcut: 'P',
          run: playerActions.previous,
        },
        {
          id: 'link',
          name: texts.copyLinkToCurrentSong,
          keywords: texts.keywordsShare,
          icon: IconLink,
          run: () => void copySongLink(entry.song),
        },
      ]
    : []
  const emptyQueueCommand = { id: 'empty', name: texts.clearQueue, keywords: texts.keywordsClear, icon: IconPlaylistX }
  return [
    ...playingCommands,
    {
      id: 'shuffle',
      name: shuffle ? texts.turnOffShuffle : texts.turnOnShuffle,
      icon: IconArrowsShuffle,
      shortcut: 'S',
      run: playerActions.toggleShuffle,
    },
    {
      id: 'repeat',
      name: repeatOne ? texts.turnOffRepeatOne : texts.turnOnRepeatOne,
      icon: IconRepeatOnce,
      shortcut: 'R',
      run: playerActions.toggleRepeatOne,
    },
    ...(entry ? [{ ...emptyQueueCommand, run: playerActions.clear }] : []),
  ]
}

function useSiteCommands(): Command[] {
  const navigate = useNavigate()
  const signedIn = useSession((session) => session.token !== null)
  const { scheme, notation } = usePreferences()
  const isShown = useIsSectionVisible()
  const isLightMode = scheme === 'light'
  const notations = NOTATIONS.filter((each) => each !== notation).map((each) => ({
    id: `keys ${each}`,
    name: format(texts.showKeysIn, { notation: NOTATION_NAMES[each] }),
    keywords: texts.keywordsNotation,
    icon: IconMusic,
    run: () => chooseNotation(each),
  }))
  return [
    ...(signedIn
      ? [
          {
            id: 'crate',
            name: texts.downloadCrate,
            keywords: texts.keywordsDownloadCrate,
            icon: IconBasketDown,
            run: () => void downloadCrate(),
          },
          {
            id: 'dig',
            name: texts.digNewReleases,
            keywords: texts.keywordsDig,
            icon: IconHeadphones,
            run: () => void navigate({ to: '/dig/$list', params: { list: 'new' } }),
          },
        ]
      : []),
    ...(signedIn && isShown('uploads')
      ? [
          {
            id: 'uploads',
            name: texts.uploads,
            keywords: texts.keywordsUploads,
            icon: IconUpload,
            run: () => void navigate({ to: '/uploads/index' }),
          },
          {
            id: 'upload',
            name: texts.addSong,
            keywords: texts.keywordsUpload,
            icon: IconUpload,
            run: () => void navigate({ to: '/uploads/new' }),
          },
        ]
      : []),
    {
      id: 'scheme',
      name: isLightMode ? texts.switchToDarkTheme : texts.switchToLightTheme,
      keywords: texts.keywordsTheme,
      icon: IconSunMoon,
      run: () => chooseScheme(isLightMode ? 'dark' : 'light'),
    },
    ...notations,
    {
      id: 'shortcuts',
      name: texts.keyboardShortcuts,
      keywords: texts.keywordsHelp,
      icon: IconKeyboard,
      shortcut: '?',
      run: () => openDialog('keys'),
    },
    signedIn
      ? {
          id: 'out',
          name: texts.signOut,
          keywords: texts.keywordsSignOut,
          icon: IconLogout,
          run: () => void navigate({ to: '/logout' }),
        }
      : {
          id: 'in',
          name: texts.signIn,
          keywords: texts.keywordsSignIn,
          icon: IconLogin2,
          run: () => openDialog('sign-in'),
        },
  ]
}

/** Songs and other hits for these words, those that begin with them first, and a command for the whole search. */
export function useFoundCommands(words: string, suggested: Suggested): Command[] {
  const navigate = useNavigate()
  const search = (term: string) => {
    rememberSearch(term)
    void navigate({ to: '/search/result/{-$term}', params: { term }, search: sameSection() })
  }
  const songs = suggested.songs.map(({ entity_id, title, artist }) => ({
    id: `song ${entity_id}`,
    name: title,
    note: artist,
    icon: IconMusic,
    run: () => void navigate({ to: '/song/$entityId', params: { entityId: entity_id } }),
  }))
  const hits = hitsOf(suggested, words).map(({ link, ...hit }) => ({ ...hit, run: () => void navigate(link) }))
  return [
    ...sortByCloseness([...hits, ...songs], words),
    ...(isLongEnough(words)
      ? [{ id: 'search', name: format(texts.searchFor, { words }), icon: IconSearch, run: () => search(words) }]
      : []),
  ]
}
