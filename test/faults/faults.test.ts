import t from 'tap';
import { audit } from './audit.js';
import { runCampaign } from './campaign.js';

// The full length is `npm run test:faults`.
t.test('no job, credit or event is lost or doubled while the service is killed at random', async (t) => {
  const dataDir = t.testdir();
  const campaign = await runCampaign({ dataDir, jobs: 60, kills: 6 });
  campaign.receiver.close();
  const { faults, completed, failed, interrupted } = audit(dataDir, campaign);
  t.same(faults, []);
  t.equal(completed + failed, 60);
  t.equal(campaign.kills, 6);
  t.ok(interrupted > 0, 'some jobs were running when the service died');
});
