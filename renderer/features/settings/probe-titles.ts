/** What each probe tries to reach, in the user's words. */
export const probeTitles: Readonly<Record<string, string>> = {
  home: 'Read your home folder',
  'blocked-files': 'Read secret files',
  'workspace-read-only': 'Change the workspace',
  'root-read-only': 'Change the system',
  environment: 'Read your environment',
  processes: 'See other processes',
  network: 'Use the network',
  'user-namespaces': 'Make a namespace',
  privileges: 'Gain privileges',
  filter: 'Make a forbidden call',
  limits: 'Exceed the limits',
  descriptors: 'Use open files of yours',
};
