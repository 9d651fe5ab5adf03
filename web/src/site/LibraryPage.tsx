import { newsletter, playlists, savedSearches } from '@dubplate/contract'
import {
  IconBookmark,
  IconDownload,
  IconHeart,
  IconHistory,
  IconPlaylist,
  IconUpload,
  IconVinyl,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { artistLink, labelLink } from '../catalogue/addresses.ts'
import { useDownloads } from '../downloads/download.ts'
import { useLibrary } from '../library/library.ts'
import { MembersOnly } from '../membership/MembersOnly.tsx'
import { Page } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import chips from '../ui/Chips.module.css'
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
  const own = useApiQuery(playlists.getPlaylists, {}).data?.playlists
  const searches = useApiQuery(savedSearches.getSearches, {}).data?.searches
  const { followed = [], followed_names = [] } = useApiQuery(newsletter.getMailing, {}).data ?? {}
  const favourites = useLibrary((library) => library.favourites.size)
  const downloaded = useDownloads(({ used }) => used.size)
  return (
    <>
      <LinkRows
        rows={[
          { to: '/playlist', text: texts.playlists, icon: IconPlaylist, count: own?.length },
          { to: '/favourite-songs', text: texts.favourites, icon: IconHeart, count: favourites },
          { to: '/recentPlayed', text: texts.recentlyPlayed, icon: IconHistory },
          { to: '/searches', text: texts.savedSearches, icon: IconBookmark, count: searches?.length },
          { to: '/download-rescue', text: texts.downloads, icon: IconDownload, count: downloaded },
          { to: '/uploads/index', text: texts.uploads, icon: IconUpload },
        ]}
      />
      {followed.length > 0 && (
        <section>
          <SectionHead title={texts.genresYouFollow} />
          <ul className={css.chips}>
            {followed.map(({ genre_id, name }) => (
              <li key={genre_id}>
                <Link to="/genres/view/$genreId" params={{ genreId: genre_id }} className={chips.chip}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {followed_names.length > 0 && (
        <section>
          <SectionHead title={texts.artistsAndLabelsYouFollow} />
          <ul className={css.chips}>
            {followed_names.map(({ kind, name }) => (
              <li key={`${kind} ${name}`}>
                <Link {...(kind === 'artist' ? artistLink : labelLink)(name)} className={chips.chip}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
