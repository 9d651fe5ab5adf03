import { newsletter, playlists, savedSearches } from '@dubplate/contract'
import {
  IconBell,
  IconBookmark,
  IconChartBar,
  IconChevronRight,
  IconDeviceLaptop,
  IconDownload,
  IconHeart,
  IconHistory,
  IconPlaylist,
  IconSparkles,
  IconTrophy,
  IconUpload,
  IconVinyl,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { FollowTarget } from '../catalogue/followedAfter.ts'
import { followedLink } from '../catalogue/followedLink.ts'
import { useDownloads } from '../downloads/download.ts'
import { format } from '../format/message.ts'
import { useLibrary } from '../library/library.ts'
import { MembersOnly } from '../membership/MembersOnly.tsx'
import { useOwned } from '../ownLibrary/owned.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { Page } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import button from '../ui/Button.module.css'
import chips from '../ui/Chips.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import { LinkRows } from './LinkRows.tsx'
import css from './SitePages.module.css'
import * as texts from './texts.ts'

/** The member's own lists, as links: on a phone there is no navigation next to the page. */
export function LibraryPage() {
  const signedIn = useSession((session) => session.token !== null)
  return (
    <Page title={texts.library} width="narrow">
      {signedIn ? <OwnLists /> : <MembersOnly icon={<IconVinyl size={24} />}>{texts.signInToSeeLibrary}</MembersOnly>}
    </Page>
  )
}

function OwnLists() {
  const own = useApiQuery(playlists.getPlaylists, { list: 'mine', pageLimit: 1 }).data
  const searches = useApiQuery(savedSearches.getSearches, {}).data?.searches
  const favourites = useLibrary((library) => library.favourites.size)
  const owned = useOwned(({ songs }) => songs.size)
  const downloaded = useDownloads(({ used }) => used.size)
  return (
    <>
      <LinkRows
        rows={[
          {
            to: '/playlist',
            text: texts.playlists,
            icon: IconPlaylist,
            count: own && (own.pagination?.totalCount ?? 0),
          },
          { to: '/favourite-songs', text: texts.favourites, icon: IconHeart, count: favourites },
          { to: '/recentPlayed', text: texts.recentlyPlayed, icon: IconHistory },
          { to: '/dj-library', text: texts.djLibrary, icon: IconDeviceLaptop, count: owned || undefined },
          { to: '/searches', text: texts.savedSearches, icon: IconBookmark, count: searches?.length },
          { to: '/download-rescue', text: texts.downloads, icon: IconDownload, count: downloaded },
          { to: '/uploads/index', text: texts.uploads, icon: IconUpload },
        ]}
      />
      <Following />
    </>
  )
}

/** What the member follows: lists with the number of new songs, artists and labels, genres. */
function Following() {
  const { data, error, refetch } = useApiQuery(newsletter.getMailing, {})
  if (!data)
    return error && <ErrorState error={error} title={texts.couldntLoadFollowing} retry={() => void refetch()} />
  const { followed, followed_names, followed_lists } = data
  const isEmpty = followed.length + followed_names.length + followed_lists.length === 0
  return (
    <section>
      <SectionHead title={texts.following} />
      {isEmpty && (
        <EmptyState
          icon={<IconBell size={24} />}
          title={texts.youDontFollowAnything}
          action={
            <Link to="/charts" className={button.button} data-look="primary">
              {texts.seeCharts}
            </Link>
          }
        >
          {texts.chooseFollowHint}
        </EmptyState>
      )}
      {followed_lists.length > 0 && <FollowedLists lists={followed_lists} />}
      <FollowedChips title={texts.artistsAndLabels} targets={followed_names} />
      <FollowedChips title={texts.genres} targets={followed} />
    </section>
  )
}

const LIST_ICONS = { playlist: IconPlaylist, spotlight: IconSparkles, top20: IconTrophy, chart: IconChartBar }

const FollowedLists = ({ lists }: { lists: newsletter.FollowedList[] }) => (
  <ul className={css.rows}>
    {lists.map((list) => {
      const Icon = LIST_ICONS[list.kind]
      return (
        <li key={JSON.stringify(list)}>
          <Link {...followedLink(list)} className={css.row}>
            <Icon size={20} stroke={1.7} aria-hidden />
            <span className="ellipsis">{list.name}</span>
            {list.new_count > 0 && <small className="num">{format(texts.nNew, { count: list.new_count })}</small>}
            <IconChevronRight size={18} aria-hidden />
          </Link>
        </li>
      )
    })}
  </ul>
)

const FollowedChips = ({ title, targets }: { title: string; targets: FollowTarget[] }) =>
  targets.length > 0 && (
    <>
      <h3 className={css.group}>{title}</h3>
      <ul className={css.chips}>
        {targets.map((target) => (
          <li key={JSON.stringify(target)}>
            <Link {...followedLink(target)} className={`${chips.chip} ellipsis`}>
              {target.name}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
