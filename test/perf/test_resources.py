"""The resource report reads PTX and the output of the assembler, and computes occupancy."""
import unittest

import resources

PTX = '''
.extern .shared .align 128 .b8 mgpu_shared_memory[];
.visible .entry _Z5firsti(
	.param .u32 p
)
.maxntid 512
.minnctapersm 2
{
	mov.u32 %r1, mgpu_shared_memory;
}
.visible .entry _Z6secondv()
{
	ret;
}
'''
PTXAS = '''ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z5firsti' for 'sm_90'
ptxas info    : Function properties for _Z5firsti
    16 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 64 registers, used 1 barriers, 16 bytes cumulative stack size
ptxas info    : Compiling entry function '_Z6secondv' for 'sm_90'
ptxas info    : Function properties for _Z6secondv
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers, 256 bytes smem
'''


class Reading(unittest.TestCase):
    def test_ptx(self):
        self.assertEqual(resources.kernels_of_ptx(PTX), {'_Z5firsti': (512, True), '_Z6secondv': (None, False)})

    def test_ptxas(self):
        report = resources.report_of_ptxas(PTXAS)
        self.assertEqual(report['_Z5firsti'],
                         {'registers': 64, 'spill_bytes': 28, 'spill_store_bytes': 12, 'static_bytes': 0})
        self.assertEqual(report['_Z6secondv'],
                         {'registers': 8, 'spill_bytes': 0, 'spill_store_bytes': 0, 'static_bytes': 256})

    def test_allowed_spills(self):
        allowed = ['# name, bytes, why', '', 'fast_kernel 60 measured']
        self.assertTrue(resources.may_spill('fast_kernel<4>', 60, allowed))
        self.assertFalse(resources.may_spill('fast_kernel<4>', 61, allowed))
        self.assertFalse(resources.may_spill('other_kernel<4>', 1, allowed))

    def test_names(self):
        name = ('void mgpu::sm_900::detail::f<mgpu::sm_900::detail::g<4, 0>, unsigned int*, '
                '(anonymous namespace)::r<16ul> >(int*, long)')
        template = resources.template_of(name)
        self.assertTrue(template.startswith('mgpu::sm_900::detail::f<') and template.endswith('>'))
        self.assertEqual(resources.short(template), 'f<g<4, 0>, u32*, r<16> >')


class Occupancy(unittest.TestCase):
    def test_by_registers(self):
        self.assertEqual(resources.occupancy(90, 64, 512, 34824), (2, 0.5))
        self.assertEqual(resources.occupancy(90, 80, 256, 17412), (3, 0.375))
        self.assertEqual(resources.occupancy(90, 255, 256, 0), (1, 0.125))

    def test_by_shared_memory(self):
        self.assertEqual(resources.occupancy(90, 32, 256, 100 * 1024), (2, 0.25))

    def test_by_warps_and_blocks(self):
        self.assertEqual(resources.occupancy(90, 16, 1024, 0), (2, 1.0))
        self.assertEqual(resources.occupancy(90, 16, 32, 0), (32, 0.5))
        self.assertEqual(resources.occupancy(75, 16, 1024, 0), (1, 1.0))


if __name__ == '__main__':
    unittest.main()
