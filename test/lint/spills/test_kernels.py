"""What is told of kernels is read from PTX and the output of the assembler."""
import unittest
from pathlib import Path

import kernels

PTX = '''
.extern .shared .align 128 .b8 mgpu_shared_memory[];
.visible .entry _Z5firsti(
	.param .u32 p
)
.maxntid 512
.minnctapersm 2
{
	mov.u32 %r1, mgpu_shared_memory;
	ld.global.u8 %rs1, [%rd1];
	@%p1 ld.global.nc.u8 %rs2, [%rd1+1];
	ld.global.u32 %r2, [%rd1];
	ld.shared.u8 %rs3, [%r1];
}
.visible .entry _Z6secondv()
{
	ret;
}
.func _Z6calledv()
{
	ld.global.u8 %rs1, [%rd1];
}
'''
PTXAS = '''ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z5firsti' for 'sm_90'
ptxas info    : Function properties for _Z5firsti
    16 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 64 registers, used 1 barriers, 16 bytes cumulative stack size
ptxas info    : Function properties for _Z6calledv
    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
ptxas info    : Compiling entry function '_Z6secondv' for 'sm_90'
ptxas info    : Function properties for _Z6secondv
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers, 256 bytes smem
'''


class Reading(unittest.TestCase):
    def test_ptx(self):
        self.assertEqual(kernels.threads_of_ptx(PTX), {'_Z5firsti': 512, '_Z6secondv': None})

    def test_byte_loads(self):
        self.assertEqual(kernels.byte_loads_of_ptx(PTX), {'_Z5firsti': 2, '_Z6secondv': 0})

    def test_ptxas(self):
        self.assertEqual(kernels.report_of_ptxas(PTXAS), {'_Z5firsti': (64, 16, 12, 16), '_Z6calledv': (None, 8, 4, 4),
                                                          '_Z6secondv': (8, 0, 0, 0)})

    def test_exceptions(self):
        allowed = kernels.exceptions(Path(__file__).with_name('allowed_spills.txt'))
        self.assertIn(('onesweep_pass_kernel', 60), allowed)

    def test_names(self):
        self.assertEqual(kernels.short_names(['_ZN4mgpu6sm_9006detail1fINS1_1gILi4ELi0EEEPjEEvT0_l',
                                              '_Z1kIN12_GLOBAL__N_11rILm16EEExEvi']),
                         ['f<g<4, 0>, u32*>', 'k<r<16>, i64>'])


if __name__ == '__main__':
    unittest.main()
