import { defineModule } from '../module.ts'
import { startImportLoop } from './import-worker-loop.ts'
import { serveImportReport } from './report-file.ts'
import { sweepSentFiles } from './uploaded-files.ts'

export const imports = defineModule({
  name: 'imports',
  tables: ['import_run', 'import_file', 'import_cover', 'import_sheet'],
  http: serveImportReport,
  loops: [startImportLoop],
  sweeps: [sweepSentFiles],
})
